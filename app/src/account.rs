//! The signed-in member of staff, for the frame around every page.

use leptos::prelude::*;
use model::Me;

use crate::answer::{Answer, Load, load, read};

/// Who is signed in.
#[server(name = ReadMe, prefix = "/api/page", endpoint = "me")]
pub async fn me() -> Answer {
    use crate::answer::Raw;
    let (_, actor) = crate::server::caller()?;
    Ok(Raw::of(actor.me()))
}

/// How many of one's own tasks are running.
#[server(name = ReadRunning, prefix = "/api/page", endpoint = "running")]
pub async fn running() -> Answer {
    use crate::{answer::Raw, server};
    let (caseload, actor) = server::caller()?;
    server::answer_part(caseload.tasks().running_count(&actor).await).map(Raw::of)
}

/// What the frame shows, read once for the whole visit.
#[derive(Clone, Copy)]
pub struct Account {
    pub me: Load,
    pub running: Load,
}

impl Account {
    /// Called once where the application begins; `path` makes the count follow from page to page.
    pub fn provide(path: Memo<String>) {
        provide_context(Account {
            me: load(Default::default, |_, _| Box::pin(me())),
            running: load(move || (path.get(), String::new()), |_, _| Box::pin(running())),
        });
    }

    /// That of the page.
    pub fn expect() -> Account {
        expect_context()
    }

    /// Who is signed in, where that is known and nobody needs to hear of a change.
    pub fn known(self) -> Option<Me> {
        read(self.me.get_untracked()?).ok()
    }
}
