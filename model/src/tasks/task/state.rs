//! The states of a task: the stored ones, and the ones people see.

use crate::enum_words::words;

words! {
    /// The stored state.
    WorkflowStatus {
        /// Waits for somebody else than its owner to approve it. Nothing claims it.
        Unapproved = "UNAPPROVED", "Waiting for approval";
        /// Waits to be claimed, now or at its trigger date.
        Queued = "QUEUED", "Waiting";
        /// Claimed by a process that has not begun it.
        Scheduling = "SCHEDULING", "Starting";
        Executing = "EXECUTING", "Running";
        Completed = "COMPLETED", "Done";
        /// The machinery could not build or hand over the run.
        Error = "ERROR", "Could not start";
        /// A permanent failure, failures exhausted, or poison.
        Failure = "FAILURE", "Failed";
        /// Given up by its owner or an operator.
        Abandoned = "ABANDONED", "Cancelled or closed";
    }
}

impl WorkflowStatus {
    /// It waits, or a process owns it.
    pub const OPEN: &[WorkflowStatus] =
        &[WorkflowStatus::Unapproved, WorkflowStatus::Queued, WorkflowStatus::Scheduling, WorkflowStatus::Executing];
    /// The same of those that a process may come to.
    pub const IN_QUEUE: &[WorkflowStatus] =
        &[WorkflowStatus::Queued, WorkflowStatus::Scheduling, WorkflowStatus::Executing];
    /// A process owns the task.
    pub const RUNNING: &[WorkflowStatus] = &[WorkflowStatus::Scheduling, WorkflowStatus::Executing];
    /// It ended without being done, and could go on.
    pub const FAILED: &[WorkflowStatus] = &[WorkflowStatus::Failure, WorkflowStatus::Error];
    /// The same, or it waits: to be tried again, after a failure.
    pub const FAILED_OR_QUEUED: &[WorkflowStatus] =
        &[WorkflowStatus::Failure, WorkflowStatus::Error, WorkflowStatus::Queued];
    /// Nothing happens any more unless somebody acts.
    pub const FINISHED: &[WorkflowStatus] =
        &[WorkflowStatus::Completed, WorkflowStatus::Failure, WorkflowStatus::Error, WorkflowStatus::Abandoned];

    /// Whether a process owns the task.
    pub fn is_running(self) -> bool {
        WorkflowStatus::RUNNING.contains(&self)
    }

    /// Whether it ended without being done, and could go on.
    pub fn has_failed(self) -> bool {
        WorkflowStatus::FAILED.contains(&self)
    }

    /// Whether nothing happens any more unless somebody acts.
    pub fn is_finished(self) -> bool {
        WorkflowStatus::FINISHED.contains(&self)
    }
}

words! {
    /// The state people see.
    TaskState {
        Unapproved = "UNAPPROVED", "Waiting for approval";
        Scheduled = "SCHEDULED", "Scheduled";
        /// Scheduled a little later only so that it can be called back.
        Held = "HELD", "Held";
        Waiting = "WAITING", "Waiting";
        Retrying = "RETRYING", "Waiting to retry";
        Running = "RUNNING", "Running";
        Done = "DONE", "Done";
        DoneWithProblems = "DONE_WITH_PROBLEMS", "Done with problems";
        Failed = "FAILED", "Failed";
        CouldNotStart = "COULD_NOT_START", "Could not start";
        /// Given up by its owner.
        Cancelled = "CANCELLED", "Cancelled";
        /// Given up by somebody else.
        Abandoned = "ABANDONED", "Closed";
        /// Nobody approved it, so that it never ran.
        Declined = "DECLINED", "Declined";
    }
}

words! {
    /// Where a task counts: each state is of one of these, wherever tasks are counted.
    TaskGroup {
        Waiting = "WAITING", "Waiting";
        Running = "RUNNING", "Running";
        ToRetry = "TO_RETRY", "Waiting to retry";
        Failed = "FAILED", "Failed";
        WithProblems = "WITH_PROBLEMS", "With problems";
        Done = "DONE", "Done";
        /// An email that is held is scheduled a little later.
        Scheduled = "SCHEDULED", "Scheduled";
        Unapproved = "UNAPPROVED", "Waiting for approval";
        /// One that was declined is closed.
        Closed = "CLOSED", "Cancelled or closed";
    }
}

impl TaskGroup {
    /// The states of those that count here.
    pub fn states(self) -> Vec<TaskState> {
        TaskState::ALL.iter().copied().filter(|state| state.group() == self).collect()
    }
}

impl TaskState {
    /// Where a task in this state counts.
    pub const fn group(self) -> TaskGroup {
        match self {
            TaskState::Scheduled | TaskState::Held => TaskGroup::Scheduled,
            TaskState::Waiting => TaskGroup::Waiting,
            TaskState::Retrying => TaskGroup::ToRetry,
            TaskState::Running => TaskGroup::Running,
            TaskState::Done => TaskGroup::Done,
            TaskState::DoneWithProblems => TaskGroup::WithProblems,
            TaskState::Failed | TaskState::CouldNotStart => TaskGroup::Failed,
            TaskState::Unapproved => TaskGroup::Unapproved,
            TaskState::Cancelled | TaskState::Abandoned | TaskState::Declined => TaskGroup::Closed,
        }
    }

    /// Those in which nothing happens any more unless somebody acts.
    pub const ENDED: &[TaskState] = &[
        TaskState::Done,
        TaskState::DoneWithProblems,
        TaskState::Failed,
        TaskState::CouldNotStart,
        TaskState::Cancelled,
        TaskState::Abandoned,
        TaskState::Declined,
    ];

    /// The stored states of tasks that people see in this one.
    pub fn stored(self) -> &'static [WorkflowStatus] {
        match self {
            TaskState::Scheduled | TaskState::Held | TaskState::Waiting | TaskState::Retrying => {
                &[WorkflowStatus::Queued]
            }
            TaskState::Running => WorkflowStatus::RUNNING,
            TaskState::Done | TaskState::DoneWithProblems => &[WorkflowStatus::Completed],
            TaskState::Failed => &[WorkflowStatus::Failure],
            TaskState::CouldNotStart => &[WorkflowStatus::Error],
            TaskState::Unapproved => &[WorkflowStatus::Unapproved],
            TaskState::Cancelled | TaskState::Abandoned | TaskState::Declined => &[WorkflowStatus::Abandoned],
        }
    }
}
