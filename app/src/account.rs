//! The signed-in member of staff, for the frame around every page.

use leptos::prelude::*;
use model::Me;

use crate::refusal::Refusal;

/// Who is signed in.
#[server(name = ReadMe, prefix = "/api/page", endpoint = "me")]
pub async fn me() -> Result<Me, Refusal> {
    let (_, actor) = crate::server::caller()?;
    Ok(actor.me())
}

/// How many of one's own tasks are running.
#[server(name = ReadRunning, prefix = "/api/page", endpoint = "running")]
pub async fn running() -> Result<u64, Refusal> {
    use crate::server;
    let (caseload, actor) = server::caller()?;
    server::answer_part(caseload.running_count(&actor).await)
}

/// What the frame shows, read once for the whole visit.
#[derive(Clone, Copy)]
pub struct Account {
    pub me: Resource<Result<Me, Refusal>>,
    pub running: Resource<Result<u64, Refusal>>,
}

impl Account {
    /// Called once where the application begins; `path` makes the count follow from page to page.
    pub fn provide(path: Memo<String>) {
        provide_context(Account {
            me: Resource::new(|| (), |()| me()),
            running: Resource::new(move || path.get(), |_| running()),
        });
    }

    /// That of the page.
    pub fn expect() -> Account {
        expect_context()
    }

    /// The person who is signed in, where that is known and nobody needs to hear of a change.
    pub fn known_id() -> Option<uuid::Uuid> {
        use_context::<Account>()?.me.get_untracked()?.ok().map(|me| me.person_id)
    }

    /// Who is signed in, once that is known.
    pub fn known(self) -> Option<Me> {
        self.me.get()?.ok()
    }
}
