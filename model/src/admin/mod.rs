//! What administrators see of the queue and do to it.

pub mod audit;
pub mod failures;
pub mod health;
pub mod machinery;
pub mod task;
pub mod users;

pub use audit::{AuditEntry, AuditQuery};
pub use failures::{FailureGroup, Failures};
pub use health::{Attention, Course, CoursePart, Level, QueueHealth, Sample};
pub use machinery::{KindInfo, LastFire, LockInfo, ProcessInfo, ProcessState, ScheduleInfo};
pub use task::{
    AdminTask, AdminTaskQuery, AdminTaskRow, AttemptInfo, BulkDone, BulkPreview, BulkVerb, Check, Confirmed, Ended,
    Lease, StateCount, TaskOrder, Window, instant,
};
pub use users::{AccountForm, UserRow};
