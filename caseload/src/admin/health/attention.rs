//! What needs a look: each thing in one line, with what it is about.

use model::{
    Instant, Total,
    admin::{Attention, AttentionCode, Level, ProcessInfo, ProcessState, QueueHealth},
    kind::label_of,
    tasks,
};
use queue::Dead;

use crate::{
    Caseload, Result,
    admin::{health::disk, operations},
};

/// A wait that is worth a line, in seconds.
const LONG: u64 = 300;
/// How many people are named whose tasks stand still.
const STOPPED: u64 = 10;
/// Silence after which a process that holds nothing is worth no line any more, in seconds.
const GONE: u64 = 900;
/// A disk with less than this share left, or fewer bytes, is low.
const LOW_SHARE: f64 = 0.05;
const LOW_BYTES: u64 = 1 << 30;

/// Everything that needs a look, the worst first.
pub async fn list(
    caseload: &Caseload,
    health: &QueueHealth,
    dead: &[Dead],
    processes: &[ProcessInfo],
) -> Result<Vec<Attention>> {
    let mut found = Vec::new();
    let mut say = |level, code, about: Option<&str>, text: String, since: Option<Instant>| {
        found.push(Attention { level, code, about: about.map(str::to_owned), text, since });
    };
    if health.processes_up == 0 {
        let stopping = processes.iter().any(|process| process.state == ProcessState::Stopping);
        let text = match (health.waiting.value, stopping) {
            (0, false) => "No process is running. New tasks wait until one starts.".to_owned(),
            (_, false) => format!("No process is running, and {}. Start one.", waits(health.waiting)),
            (0, true) => "No process accepts tasks: all are stopping or out of date. Start a new one.".to_owned(),
            (_, true) => format!(
                "No process accepts tasks, and {}: all are stopping or out of date. Start a new one.",
                waits(health.waiting)
            ),
        };
        say(Level::Bad, AttentionCode::NoProcess, None, text, None);
    }
    if health.stalled > 0 {
        let silent: Vec<&str> = processes
            .iter()
            .filter(|process| process.state == ProcessState::Silent)
            .map(|process| process.system_id.as_str())
            .collect();
        let why = match silent[..] {
            [] => "past the deadline, or the process has stopped".to_owned(),
            [one] => format!("process {one} has been silent"),
            _ => format!("processes {} have been silent", silent.join(", ")),
        };
        let text = format!("{} stalled: {why}", tasks(health.stalled));
        say(Level::Bad, AttentionCode::Stalled, None, text, None);
    }
    for process in processes.iter().filter(|process| process.state == ProcessState::Silent) {
        let seconds = process.heartbeat_age_ms.unwrap_or_default() / 1_000;
        // Whoever went for good and left nothing needs nobody.
        if process.busy == 0 && seconds > GONE {
            continue;
        }
        let text = format!("Process {} has been silent for {}", process.system_id, span(seconds));
        let level = if process.busy > 0 { Level::Bad } else { Level::Warn };
        say(level, AttentionCode::SilentProcess, Some(&process.system_id), text, None);
    }
    // The most common cause, and since when tasks have failed that nobody has retried or closed.
    let most = dead.first().map(|cause| cause.tasks);
    // Of as many each, what somebody tried out on purpose is told last.
    let is_real = |cause: &&Dead| Some(cause.tasks) == most && cause.kind != queue::self_test::KIND;
    let first = dead.iter().find(is_real).or(dead.first());
    if let (Some(first), Some(since)) = (first, dead.iter().map(|cause| cause.first).min()) {
        let (code, detail) = caseload.queue().words_of(&first.fingerprint).await?;
        let title = crate::admin::failures::title(&first.kind, &code, &detail);
        let failed = match health.failed_hour {
            Total { value: 1, exact: true } => "1 task failed in the last hour and is not resolved".to_owned(),
            Total { value, exact: true } => format!("{} failed in the last hour and are not resolved", tasks(value)),
            Total { value, .. } => format!("More than {} failed in the last hour and are not resolved", tasks(value)),
        };
        let (text, cause) = match (dead.len(), health.failed_hour.value) {
            (1, 1) => (format!("{failed}: {title}"), Some(first.fingerprint.as_str())),
            (1, _) => (format!("{failed}, all with one cause: {title}"), Some(first.fingerprint.as_str())),
            (n, _) if dead.iter().skip(1).all(|cause| Some(cause.tasks) < most) => {
                (format!("{failed}, with {n} causes. Most common: {title}"), None)
            }
            (n, _) => (format!("{failed}, with {n} causes. One of them: {title}"), None),
        };
        say(Level::Bad, AttentionCode::Failing, cause, text, Some(since));
    }
    for kind in operations::kind_list(caseload).await? {
        let label = label_of(&kind.kind);
        if kind.known_by == 0 && kind.waiting.value > 0 && health.processes_up > 0 {
            let text = format!("{} for a process that can run “{label}”", waits(kind.waiting));
            say(Level::Bad, AttentionCode::UnknownKind, Some(&kind.kind), text, None);
        }
        if kind.paused {
            let by = kind.paused_by.as_deref().unwrap_or_default();
            let text = match kind.waiting.value {
                0 => format!("{by} paused {label} tasks"),
                _ => format!("{}: {by} paused {label} tasks", waits(kind.waiting)),
            };
            let level = if kind.waiting.value > 0 { Level::Warn } else { Level::Note };
            say(level, AttentionCode::KindPaused, Some(&kind.kind), text, kind.paused_date);
        }
    }
    for (owner, waiting, since) in queue::stopped_owners::waiting(caseload.db(), STOPPED).await? {
        let name = caseload.staff_name(owner).await?;
        let stand = if waiting == 1 { "1 task stands".to_owned() } else { format!("{} stand", tasks(waiting)) };
        let text = format!("{stand} still: the account of {name} is disabled");
        say(Level::Warn, AttentionCode::OwnerStopped, Some(&owner.to_string()), text, Some(since));
    }
    for schedule in operations::schedule_list(caseload).await? {
        let called = if schedule.purpose.is_empty() { &schedule.name } else { &schedule.purpose };
        if schedule.late {
            let text = format!("A recurring job is late: {called}");
            say(Level::Warn, AttentionCode::LateSchedule, Some(&schedule.name), text, schedule.next_date);
        } else if schedule.last.as_ref().is_some_and(|last| last.failed == Some(true)) {
            let text = format!("A recurring job failed last time: {called}");
            let since = schedule.last.as_ref().map(|last| last.fired_date);
            say(Level::Warn, AttentionCode::FailedSchedule, Some(&schedule.name), text, since);
        }
    }
    for lock in operations::lock_list(caseload).await?.into_iter().filter(|lock| lock.overdue) {
        let text = format!("The lock {} was not renewed in time by {}", lock.name, lock.holder);
        let since = lock.renewed_date.or(Some(lock.locked_date));
        say(Level::Warn, AttentionCode::LockOverdue, Some(&lock.name), text, since);
    }
    if let Some(oldest @ LONG..) = health.oldest_seconds
        && health.processes_up > 0
    {
        let text = format!("The oldest task has waited {}", span(oldest));
        say(Level::Warn, AttentionCode::LongWait, None, text, None);
    }
    if let Some(hold) = caseload.queue().longest_hold() {
        let text =
            format!("A step of a task ({}) blocked all saving for {}", label_of(&hold.kind), span(hold.held.as_secs()));
        let since = chrono::TimeDelta::from_std(hold.ago).ok().map(|ago| health.at - ago);
        say(Level::Warn, AttentionCode::LongStep, Some(&hold.task.to_string()), text, since);
    }
    if caseload.queue().misses_broker() {
        let text = "RabbitMQ does not answer, or no process is connected to it. Tasks still run, and none is lost.";
        say(Level::Warn, AttentionCode::BrokerAway, None, text.to_owned(), None);
    }
    for (what, text) in disk::low(caseload, LOW_SHARE, LOW_BYTES) {
        say(Level::Bad, AttentionCode::DiskLow, Some(what), text, None);
    }
    if !caseload.mail().is_configured() {
        let text = "No mail server is set up. Emails fail, and nobody gets them.";
        say(Level::Note, AttentionCode::MailNotConfigured, None, text.to_owned(), None);
    }
    found.sort_by_key(|item| item.level);
    Ok(found)
}

/// `1 task waits`, or `10,000+ tasks wait`.
fn waits(total: Total) -> String {
    match total.value {
        1 => "1 task waits".to_owned(),
        _ => format!("{} tasks wait", total.short()),
    }
}

/// A span as people say it.
fn span(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds}\u{a0}s"),
        120..=7_199 => format!("{}\u{a0}min", seconds / 60),
        7_200..=172_799 => format!("{}\u{a0}h", seconds / 3_600),
        _ => format!("{}\u{a0}days", seconds / 86_400),
    }
}
