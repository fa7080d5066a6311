//! What the queue counts for whoever measures it from outside: names in the way of Prometheus, kept by whatever recorder the
//! program has installed, and by none if there is none. What stands in the table (depth, oldest, processes) is read from there
//! when it is asked for.

use std::time::Duration;

use ::metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use model::AttemptOutcome;

use crate::Task;

const CLAIMED: &str = "docket_tasks_claimed_total";
const ATTEMPTS: &str = "docket_attempts_ended_total";
const FINISHED: &str = "docket_tasks_finished_total";
const WAIT: &str = "docket_task_wait_seconds";
const RUN: &str = "docket_attempt_duration_seconds";
const HELD: &str = "docket_chunks_over_aim_total";
const WAKES: &str = "docket_wakeups_total";
const SLOTS: &str = "docket_process_slots";
const WANTED: &str = "docket_wanted_processes";

/// The histograms, for whoever chooses their classes.
pub const HISTOGRAMS: [&str; 2] = [WAIT, RUN];

/// Says what each of them is. Called once a recorder is installed.
pub fn describe() {
    describe_counter!(CLAIMED, "Tasks claimed by this process, by kind.");
    describe_counter!(ATTEMPTS, "Attempts of this process that ended, by kind and outcome.");
    describe_counter!(FINISHED, "Tasks that came to their end in this process, by kind and status.");
    describe_histogram!(WAIT, Unit::Seconds, "From when a task was due until it was claimed, by kind.");
    describe_histogram!(RUN, Unit::Seconds, "How long attempts took, by kind.");
    describe_counter!(HELD, "Chunks that held the only writer of SQLite for longer than their aim, by kind.");
    describe_counter!(WAKES, "Looks for due tasks, by what caused them.");
    #[cfg(feature = "rabbitmq")]
    crate::wake::rabbit::describe_metrics();
    describe_gauge!(SLOTS, "Tasks that this process would run at once.");
    describe_gauge!(WANTED, "Processes that would be needed for the tasks there are, for an autoscaler.");
}

/// A task was claimed here.
pub(crate) fn claimed(task: &Task) {
    counter!(CLAIMED, "kind" => task.execution_component_name.clone()).increment(1);
    if let Some(claimed) = task.scheduling_started_date {
        let wait = (claimed - task.trigger_date).as_seconds_f64().max(0.0);
        histogram!(WAIT, "kind" => task.execution_component_name.clone()).record(wait);
    }
}

/// An attempt ended; `task` is as it is since then.
pub(crate) fn ended(task: &Task, outcome: AttemptOutcome) {
    let kind = || task.execution_component_name.clone();
    counter!(ATTEMPTS, "kind" => kind(), "outcome" => outcome.name()).increment(1);
    if let Some(began) = task.execution_started_date.or(task.scheduling_started_date) {
        histogram!(RUN, "kind" => kind()).record((task.modified_date - began).as_seconds_f64().max(0.0));
    }
    if task.workflow_status.is_finished() {
        finished(task);
    }
}

/// A task came to its end, by an attempt or by somebody's hand.
pub(crate) fn finished(task: &Task) {
    let (kind, status) = (task.execution_component_name.clone(), task.workflow_status.name());
    counter!(FINISHED, "kind" => kind, "status" => status).increment(1);
}

/// A chunk held the one writer longer than it should.
pub(crate) fn held_long(kind: &str) {
    counter!(HELD, "kind" => kind.to_owned()).increment(1);
}

/// What made the runtime look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// A hint that something may be due.
    Hint,
    /// A date that has come, or the poll.
    Time(Duration),
}

/// The runtime looks for due tasks.
pub(crate) fn woken(by: Woken, poll: Duration) {
    let source = match by {
        Woken::Hint => "hint",
        Woken::Time(wait) if wait < poll => "due",
        Woken::Time(_) => "poll",
    };
    counter!(WAKES, "source" => source).increment(1);
}

/// How many slots this process has now.
pub(crate) fn slots(slots: u32) {
    gauge!(SLOTS).set(f64::from(slots));
}

/// How many processes would be needed.
pub(crate) fn wanted(processes: u64) {
    gauge!(WANTED).set(processes as f64);
}
