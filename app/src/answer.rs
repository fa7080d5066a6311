//! What server functions answer with: one type for all of them, whose content is read where it is shown. The browser then
//! holds the machinery of loading once and not once for each kind of content, which is most of what it downloads.

use std::pin::Pin;

use leptos::prelude::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::refusal::Refusal;

/// An answer or a refusal, on its way to where it is shown.
pub type Answer = Result<Raw, Refusal>;

/// Something that is loaded from the server.
pub type Load = Resource<Answer>;

/// Loads something, and loads it again when what it is asked for by changes. Like the answers, what is asked by is of one
/// type for all: two texts, of which most need one.
pub fn load(asked: impl Fn() -> (String, String) + Send + Sync + 'static, fetch: Fetch) -> Load {
    load_boxed(Box::new(asked), fetch)
}

/// The same for what goes with something that was loaded before it: it is asked for once that is there, and is therefore never
/// older. Asked for beside it, the people of a task could be those of before its end on a page that says that it has ended.
pub fn load_after(first: Load, asked: impl Fn() -> (String, String) + Send + Sync + 'static, fetch: Fetch) -> Load {
    Resource::new(asked, move |(second, third)| {
        let first = first.into_future();
        with_its_page(async move {
            // Refused or not, it is there.
            let _ = first.await;
            fetch(second, third).await
        })
    })
}

type Fetch = fn(String, String) -> Pin<Box<dyn Future<Output = Answer> + Send>>;

fn load_boxed(asked: Box<dyn Fn() -> (String, String) + Send + Sync>, fetch: Fetch) -> Load {
    Resource::new(asked, move |(first, second)| with_its_page(fetch(first, second)))
}

/// Has what is loaded keep the page that it is for, to its end. On the server a page goes when its browser does, and looking up what
/// a page provides locks on the way up from where one is: should the page go just then, with the look-up as the last to hold it, it
/// would be taken down by whoever has locked it, and that thread would wait for itself for ever.
fn with_its_page<T>(loading: impl Future<Output = T> + Send) -> impl Future<Output = T> + Send {
    let here = Owner::current().filter(|_| cfg!(not(target_arch = "wasm32")));
    let line: Vec<Owner> = std::iter::successors(here, Owner::parent).collect();
    async move {
        let loaded = loading.await;
        drop(line);
        loaded
    }
}

/// The content of an answer, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raw(String);

impl Raw {
    /// Packs content.
    pub fn of<T: Serialize>(content: T) -> Raw {
        // Only maps with keys other than text cannot be written, and no content has any.
        Raw(serde_json::to_string(&content).unwrap_or_default())
    }

    /// Unpacks content. It fails only where page and server are of different versions.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_str(&self.0).map_err(|_| {
            Refusal(model::Problem::new(
                500,
                model::Code::OUTDATED,
                "This page is out of date",
                "Docket has been updated since you opened it. Please load the page again.",
            ))
        })
    }
}

/// Unpacks an answer.
pub fn read<T: DeserializeOwned>(answer: Answer) -> Result<T, Refusal> {
    answer?.read()
}

/// One element as the server rendered it, for a part of a page that is only read: a table, a list of facts. The browser
/// puts it in place without knowing how it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Html(String);

impl Html {
    /// A view, rendered; the only way to one, so that what is in it has been escaped by the framework.
    pub fn of(view: impl RenderHtml) -> Html {
        Html(view.to_html())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures::FutureExt;
    use leptos::reactive::computed::ScopedFuture;

    use super::*;

    #[test]
    fn what_is_loaded_keeps_the_page_that_it_is_for() {
        let page = Owner::new_root(None);
        page.with(|| provide_context("the page"));
        let part = page.child();
        let loading = part.with(|| with_its_page(ScopedFuture::new(async { use_context::<&str>() })));
        drop(page);
        assert_eq!(loading.now_or_never(), Some(Some("the page")));
        assert_eq!(part.with(use_context::<&str>), None, "and no longer");
    }

    #[tokio::test]
    async fn what_goes_with_something_is_asked_for_once_that_is_there() {
        static ASKED: Mutex<Vec<&str>> = Mutex::new(Vec::new());
        fn note(what: &'static str) -> Answer {
            ASKED.lock().unwrap().push(what);
            Ok(Raw::of(what))
        }
        any_spawner::Executor::init_tokio().unwrap();
        let page = Owner::new_root(None);
        page.set();
        let task = load(Default::default, |_, _| {
            Box::pin(async {
                for _ in 0..8 {
                    tokio::task::yield_now().await;
                }
                note("the task")
            })
        });
        let people = load_after(task, Default::default, |_, _| Box::pin(async { note("its people") }));
        people.await.unwrap();
        assert_eq!(*ASKED.lock().unwrap(), ["the task", "its people"]);
    }

    #[test]
    fn content_survives_packing() {
        let packed = Raw::of(("a", 7, Some(true)));
        assert_eq!(packed.read::<(String, u8, Option<bool>)>().unwrap(), ("a".to_owned(), 7, Some(true)));
        assert_eq!(packed.read::<String>().unwrap_err().0.code, "outdated");
    }
}
