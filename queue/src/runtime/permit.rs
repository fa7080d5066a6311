//! The right of a process to act for the queue. Whoever claims, takes back what others have left, or fires a schedule has to show
//! one, and only the runtime gives one, for the moment: where its gate is open and others do not take it for dead.

use async_trait::async_trait;
use sea_orm::DbErr;

use crate::process::identity::OwnProcess;

/// What may keep a process from acting though it runs.
#[async_trait]
pub trait Gate: Send + Sync {
    /// What keeps it, in words for the log.
    async fn obstacle(&self) -> Result<Option<String>, DbErr>;
}

/// A gate that is always open: there is nothing that could keep the process from acting.
pub struct AlwaysOpen;

#[async_trait]
impl Gate for AlwaysOpen {
    async fn obstacle(&self) -> Result<Option<String>, DbErr> {
        Ok(None)
    }
}

/// That this process may act.
pub struct Permit<'a> {
    process: &'a OwnProcess,
}

impl<'a> Permit<'a> {
    /// None: it has not been heard of for so long that others may take it for dead.
    pub(super) fn of(process: &'a OwnProcess) -> Option<Permit<'a>> {
        process.may_write().then_some(Permit { process })
    }

    pub fn process(&self) -> &'a str {
        &self.process.id
    }

    /// Whether the silence of others means something: this process has had its database without a gap for a lease. If it has not,
    /// the others may just be coming back, too.
    pub fn trusts_silence(&self) -> bool {
        self.process.is_steady()
    }

    /// The right to take so many tasks as well.
    pub(super) fn to_claim(&self, limit: u32, idle: bool) -> ClaimPermit<'a> {
        ClaimPermit { process: self.process(), limit, idle }
    }
}

/// That this process may take tasks.
pub struct ClaimPermit<'a> {
    process: &'a str,
    limit: u32,
    idle: bool,
}

impl ClaimPermit<'_> {
    /// The right to take nothing, for statements that are looked at and not run.
    pub(crate) fn to_look() -> ClaimPermit<'static> {
        ClaimPermit { process: "", limit: 0, idle: false }
    }

    pub fn process(&self) -> &str {
        self.process
    }

    /// The most tasks to take.
    pub fn limit(&self) -> usize {
        self.limit as usize
    }

    /// Whether nothing runs in the process, so that it may take a task that has to run alone.
    pub fn is_idle(&self) -> bool {
        self.idle
    }
}
