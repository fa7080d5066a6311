//! The domain of Docket: people, permissions, actions, and the use cases of its users.
use model::*;
use uuid::Uuid;

/// Whoever acts, loaded from the accounts.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    pub person_id: Uuid,
    pub username: String,
    pub name: String,
    pub role: Role,
    pub permissions: Vec<Permission>,
    pub session_version: i32,
}
impl Actor { pub fn me(&self) -> Me { todo!() } }

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Refused(Box<Problem>),
    #[error(transparent)]
    Database(#[from] sea_orm::DbErr),
}
impl From<Problem> for Error { fn from(p: Problem) -> Self { Error::Refused(Box::new(p)) } }
impl From<Error> for Problem { fn from(e: Error) -> Self { match e { Error::Refused(p) => *p, _ => Problem::internal() } } }
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A handle on the domain: cheap to clone, its methods are the product's use cases.
#[derive(Clone)]
pub struct Caseload {}

/// What a self-test task is asked to do (contract.md).
#[derive(Clone, Debug, serde::Deserialize)]
pub struct SelfTestRequest {}

/// `a`: which people behind a preview's number; `None` = all, Some("CHANGE") = will change, else a skip reason.
impl Caseload {
    // accounts. Wrong password, unknown and disabled accounts are one and the same refusal (401 `sign_in_failed`), in the same time.
    pub async fn sign_in(&self, _username: &str, _password: &str, _source: &str) -> Result<Actor> { todo!() }
    pub async fn signed_out(&self, _actor: &Actor) -> Result<()> { todo!() }
    /// The account behind a session, unless it is disabled or its sessions were ended since (another session version).
    pub async fn actor_of_session(&self, _person_id: Uuid, _session_version: i32) -> Result<Option<Actor>> { todo!() }
    pub async fn actor_of_token(&self, _token: &str) -> Result<Option<Actor>> { todo!() }
    pub async fn any_account(&self) -> Result<bool> { todo!() }
    // people
    pub async fn people(&self, _actor: &Actor, _query: &PeopleQuery) -> Result<Page<PersonRow>> { todo!() }
    pub async fn filter_choices(&self, _actor: &Actor) -> Result<FilterChoices> { todo!() }
    pub async fn scope_counts(&self, _actor: &Actor) -> Result<person::ScopeCounts> { todo!() }
    // selections
    pub async fn selection(&self, _actor: &Actor, _token: Uuid, _shown: &[Uuid]) -> Result<SelectionView> { todo!() }
    pub async fn select_shown(&self, _actor: &Actor, _request: &SelectionRequest) -> Result<SelectionView> { todo!() }
    pub async fn select_matching(&self, _actor: &Actor, _filter: PeopleFilter) -> Result<SelectionView> { todo!() }
    pub async fn drop_selection(&self, _actor: &Actor, _token: Uuid) -> Result<()> { todo!() }
    // actions
    pub async fn preview(&self, _actor: &Actor, _action: Action, _target: Target) -> Result<Preview> { todo!() }
    /// The people behind a number of a preview: `which` is `CHANGE`, a skip reason, or nothing for all.
    pub async fn preview_people(&self, _actor: &Actor, _token: Uuid, _which: Option<&str>, _after: Option<&str>) -> Result<preview::PreviewPeople> { todo!() }
    pub async fn submit(&self, _actor: &Actor, _submission: Submission) -> Result<Submitted> { todo!() }
    // tasks
    pub async fn tasks(&self, _actor: &Actor, _query: &TaskQuery) -> Result<Page<TaskRow>> { todo!() }
    pub async fn task(&self, _actor: &Actor, _id: Uuid) -> Result<TaskDetail> { todo!() }
    pub async fn ledger(&self, _actor: &Actor, _id: Uuid, _query: &LedgerQuery) -> Result<Page<LedgerRow>> { todo!() }
    pub async fn retry(&self, _actor: &Actor, _id: Uuid) -> Result<()> { todo!() }
    pub async fn abandon(&self, _actor: &Actor, _id: Uuid, _reason: Option<&str>) -> Result<()> { todo!() }
    pub async fn self_test(&self, _actor: &Actor, _request: SelfTestRequest) -> Result<Vec<Submitted>> { todo!() }
    /// How many of the actor's own tasks are running now, for the rail.
    pub async fn running_count(&self, _actor: &Actor) -> Result<u64> { todo!() }
    /// A row as live events carry it, for whoever may see it; `None` when the task is gone or not the actor's to see.
    pub async fn live_row(&self, _actor: &Actor, _id: Uuid) -> Result<Option<TaskRow>> { todo!() }
}
