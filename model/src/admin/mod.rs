//! What administrators see of the queue and do to it.

pub mod audit;
pub mod failures;
pub mod health;
pub mod many_tasks;
pub mod operations;
pub mod query;
pub mod task;
pub mod users;

pub use audit::{AuditEntry, AuditQuery, source_address};
pub use failures::{FailureGroup, Failures};
pub use health::{Attention, AttentionCode, FailedPeople, HistoryPart, Level, QueueHealth, QueueHistory, Sample};
pub use many_tasks::{BulkDone, BulkPreview, BulkVerb, Confirmed, StateCount};
pub use operations::{
    FireOutcome, KindInfo, LastFire, LockInfo, ProcessInfo, ProcessState, ScheduleInfo, ScheduleName,
};
pub use query::{AdminTaskQuery, TaskOrder, Window, in_order, instant};
pub use task::{AdminTask, AdminTaskRow, AttemptInfo, Check, Lease};
pub use users::{AccountForm, UserRow};
