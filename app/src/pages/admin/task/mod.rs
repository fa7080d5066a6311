//! One task: why it does not run or why it failed, what was tried, and what can be done about it.

mod facts;
mod panel;
mod people;

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    AttemptOutcome, TaskErrorCode, TaskState,
    admin::{AdminTask, AttemptInfo, AuditEntry, Check},
};

use panel::panel;

use super::{
    act::{self, VerbButton},
    api::{CloseAnyTask, PutTaskBack, RetryAnyTask},
    audit,
    remedy::remedy,
    words,
};
use crate::components::values::numbers::{counted, grouped, tasks};
use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::{badge::Badge, outcome_bar::OutcomeBar, time::Time},
    },
    help::hint::Hint,
    pages::task::{related, timeline},
    refusal::Refusal,
    url,
};

/// The page.
pub fn view(task: AdminTask, (trail, more): (Vec<AuditEntry>, bool), refusal: Option<Refusal>) -> AnyView {
    let row = &task.task.row;
    let id = row.id.to_string();
    let outcome = (row.treated() > 0).then(|| view! { <span>{facts::outcomes(row)}</span> });
    let people =
        Some(words::people(row)).filter(|people| !people.is_empty()).map(|people| view! { <span>{people}</span> });
    let hold = facts::hold(&task);
    // Of nobody yet there is nothing to draw.
    let held = row.state == TaskState::Held;
    let bar = (row.total.is_some() && !held)
        .then(|| view! { <OutcomeBar row=row.clone() label=row.title.clone() thick=true/> });
    let (why, acts) = (why(&task), act_on(&task, refusal.as_ref()));
    let first = (why.is_some() || acts.is_some()).then(|| view! { <div class="halves small">{why}{acts}</div> });
    let all = more.then(|| format!("/admin/audit?objectKind=task&objectId={id}"));
    view! {
        <header class="head" data-task-id=id.clone() data-task-status=row.status.name()>
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin">"Queue"</a></li>
                    <li><a href="/admin/tasks">"All tasks"</a></li>
                    <li class="id">{model::short_id(row.id)}</li>
                </ol>
                <div class="title"><h1>{row.title.clone()}</h1>{words::state(row, task.task.stalled)}</div>
                <p class="facts">
                    {people}
                    <span>"by "{row.owner_name.clone()}</span>
                    <span>"submitted "<Time at=row.created_date exact=true/></span>
                    {outcome}
                    {hold}
                </p>
            </div>
            <div class="line"><a class="button" href=format!("/tasks/{id}")>"View as owner"</a></div>
        </header>
        {bar}
        {act::refused(refusal.as_ref())}
        <div class="columns">
            <div>
                <div class="stack">
                    {first}
                    {attempts(&task)}
                    {last_error(&task)}
                    {inside(&task)}
                    {audit::section(trail, all)}
                </div>
                <div class="stack">
                    {facts::place(&task)}
                    {facts::details(&task)}
                    {related::section("/admin/tasks", task.parent.clone(), task.children.clone(), |_| "Led to")}
                    <section aria-labelledby="h-time">
                        <div class="section"><h2 id="h-time">"Timeline"</h2></div>
                        {timeline::list(&task.timeline)}
                    </section>
                </div>
            </div>
        </div>
    }
    .erase()
}

/// Why it does not run, what it failed of, or why people did; nothing for a task that runs well or did all it should.
fn why(task: &AdminTask) -> Option<AnyView> {
    if task.task.stalled {
        let text = match (&task.lease.holder, task.lease.holder_lives) {
            (Some(_), true) => {
                "Its process is running, but the task made no progress before its deadline. Docket returns it to the queue within seconds. If not, put it back in the queue."
            }
            (Some(_), false) => {
                "Its process has stopped or is silent. Another running process returns it to the queue. If none is running, start one, or put it back yourself so that it runs first."
            }
            (None, _) => "No process is running it.",
        };
        let lines = line(true, "stalled", text.to_owned().erase());
        return Some(panel("Why is it stalled?", Some(Hint::Stalled), None, lines));
    }
    if task.task.row.status.has_failed() {
        return Some(failed(task));
    }
    if task.task.row.state == TaskState::DoneWithProblems {
        return Some(people::problems(task));
    }
    if task.standing.is_empty() {
        return None;
    }
    let blocks = task.standing.iter().filter(|check| check.blocks).count();
    let title = match (blocks, task.task.row.state) {
        (0, _) => "It will start any moment",
        // Nothing is wrong with an email that is held.
        (1, TaskState::Held) => "Why is it held?",
        _ => "Why is it not running?",
    };
    let lines = task.standing.iter().map(|Check { blocks, code, text, at }| {
        let at = at.map(|at| view! { " "<strong><Time at exact=true/></strong> });
        let held =
            (task.task.row.state == TaskState::Held && code == "not_due").then_some(", so that it can be cancelled");
        let setting =
            (code == "no_mail").then(|| view! { " "<a href="/admin/settings#mail.smtp_url">"See the setting"</a> });
        line(*blocks, code, view! { {text.clone()}{at}{held}{setting} }.into_view().erase())
    });
    Some(panel(title, None, None, lines.collect_view().erase()))
}

/// What a task failed of and what to do, in plain words; what a machine said of it stands below.
fn failed(task: &AdminTask) -> AnyView {
    let last = task.attempts.iter().find_map(|attempt| attempt.error_code.clone()).unwrap_or_default();
    let what = task.task.row.trouble.clone().unwrap_or_else(|| model::error_code::in_words(&last));
    let same = task.cause.as_ref().map(|cause| {
        let words = match task.same_cause {
            0 | 1 => "Failures of this cause".to_owned(),
            n => format!("{} failed like this", tasks(n)),
        };
        view! { " "<a href=format!("/admin/failures?cause={cause}")>{words}</a> }
    });
    let lines = [
        line(true, "failed", view! { {what}{same} }.into_view().erase()),
        line(true, "remedy", remedy(&last).to_owned().erase()),
    ];
    panel("Why did it fail?", None, None, lines.into_iter().collect_view().erase())
}

fn line(blocks: bool, code: &str, text: AnyView) -> AnyView {
    let icon = match code {
        "failed" => "failed",
        "remedy" => "info",
        "no_mail" => "problems",
        _ if blocks => "held",
        _ => "done",
    };
    let class = (blocks || code == "no_mail").then_some("blocks");
    let code = code.to_owned();
    view! { <li data-key=code.clone() class=class data-check=code><Icon name=icon/><div>{text}</div></li> }.erase()
}

/// The verbs it can be done to now.
fn act_on(task: &AdminTask, refusal: Option<&Refusal>) -> Option<AnyView> {
    let row = &task.task.row;
    let mut verbs = Vec::new();
    if task.can_put_back {
        verbs.push(VerbButton::new(PutTaskBack::url(), "Put back in the queue", "retrying", "primary"));
    }
    if task.can_retry {
        let label = match row.state {
            TaskState::Retrying => "Retry now".to_owned(),
            TaskState::DoneWithProblems => format!("Retry the {} failed", grouped(row.failed)),
            _ => "Retry".to_owned(),
        };
        // One that was meant to fail is to be closed.
        let code = task.attempts.iter().find_map(|attempt| attempt.error_code.as_deref());
        let was_meant = code.and_then(model::error_code::code_of) == Some(TaskErrorCode::SelfTest);
        let class = if was_meant { "" } else { "primary" };
        verbs.push(VerbButton::new(RetryAnyTask::url(), label, "retrying", class));
    }
    if task.can_abandon {
        verbs.push(VerbButton::new(CloseAnyTask::url(), "Close task", "abandoned", "danger outlined"));
    }
    let consequence = task.can_abandon.then(|| {
        view! { <p class="meta soft">"Closed tasks never run again. The owner sees your name and the reason."</p> }
    });
    let kind = task.kind_paused.then(|| {
        let href = format!("/admin/kinds/{}", row.kind);
        view! { <a class="button" href=href>"Resume the kind…"</a> }
    });
    if verbs.is_empty() && kind.is_none() {
        return None;
    }
    let form = (!verbs.is_empty()).then(|| act::form("act", verbs, vec![("id", row.id.to_string())], refusal));
    Some(
        view! {
            <section class="panel" aria-labelledby="h-act">
                <h2 id="h-act">"Actions"</h2>
                {kind}
                {form}
                {consequence}
            </section>
        }
        .erase(),
    )
}

fn attempts(task: &AdminTask) -> AnyView {
    let row = &task.task.row;
    let last = task.attempts.first().and_then(|attempt| attempt.outcome);
    let permanent = row.failures < row.max_failures && last == Some(AttemptOutcome::Failed);
    let used = attempts_used(row.failures, row.max_failures, permanent);
    if task.attempts.is_empty() {
        return view! {
            <section aria-labelledby="h-att">
                <div class="section"><h2 id="h-att">"Attempts"</h2><span>{used}</span></div>
                <p class="soft">"None yet."</p>
            </section>
        }
        .erase();
    }
    // Those of earlier attempts have been retried.
    let problems = row.state == TaskState::DoneWithProblems;
    let lines = task.attempts.iter().enumerate();
    let lines = lines.map(|(place, tried)| attempt(tried, place == 0 && problems)).collect_view();
    view! {
        <section aria-labelledby="h-att">
            <div class="section"><h2 id="h-att">"Attempts"</h2><span>{used}</span></div>
            <div class="tableframe">
                <table class="table still cards tall attempts">
                    <caption class="hidden">"Attempts, latest first"</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="num">"No."</th>
                            <th scope="col">"Started"</th>
                            <th scope="col" class="num">"Took"</th>
                            <th scope="col">"Process"</th>
                            <th scope="col">"Outcome"</th>
                            <th scope="col">"Error"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
        </section>
    }
    .erase()
}

/// How many attempts failed, of how many that may. Some errors are not retried.
fn attempts_used(failures: u32, most: u32, permanent: bool) -> String {
    let failed = match failures {
        0 => return format!("No attempt failed; up to {most} are allowed"),
        n => counted(u64::from(n), "attempt failed", "attempts failed"),
    };
    match permanent {
        true => format!("{failed}, and an error like the last one is not retried"),
        false if failures >= most => format!("{failed}, and no more are allowed"),
        false => format!("{failed}; up to {most} are allowed"),
    }
}

fn attempt(attempt: &AttemptInfo, problems: bool) -> AnyView {
    let (icon, tone) = match attempt.outcome {
        None => ("running", "accent"),
        Some(AttemptOutcome::Completed) if problems => ("problems", "warn"),
        Some(AttemptOutcome::Completed) => ("done", "ok"),
        Some(AttemptOutcome::ToRetry) => ("retrying", "warn"),
        Some(AttemptOutcome::Abandoned) => ("abandoned", ""),
        Some(outcome) if outcome.is_dead() => ("failed", "danger"),
        Some(_) => ("held", ""),
    };
    let took = attempt
        .stopped_date
        .map(|stopped| words::milliseconds((stopped - attempt.started_date).num_milliseconds().max(0).unsigned_abs()));
    let error = match (&attempt.error_code, &attempt.detail) {
        (Some(code), detail) => {
            let detail = detail.clone().unwrap_or_default();
            let first: String = detail.lines().next().unwrap_or_default().chars().take(80).collect();
            let says = format!("Error of attempt {}", attempt.attempt);
            view! {
                <details class="disclosure">
                    <summary><Icon name="right"/>{if first.is_empty() { code.clone() } else { first }}</summary>
                    <pre class="trace" role="group" tabindex="0" aria-label=says>{format!("{code}\n{detail}")}</pre>
                </details>
            }
            .erase()
        }
        _ => match attempt.outcome {
            Some(AttemptOutcome::PutBack) => {
                view! { <span class="soft">"Its process was stopping; not counted as a failure"</span> }.erase()
            }
            Some(AttemptOutcome::Rescued) => {
                view! { <span class="soft">"Its process had stopped or was silent"</span> }.erase()
            }
            _ => ().erase(),
        },
    };
    view! {
        <tr data-key=attempt.attempt.to_string()>
            <th scope="row" class="num" data-prefix="Attempt">{attempt.attempt.to_string()}</th>
            <td class="brief nowrap" data-prefix="at"><Time at=attempt.started_date exact=true/></td>
            <td class="brief num soft" data-prefix="took">{took}</td>
            <td class="brief soft">
                <a href=url::with("/admin/tasks", &[("process", attempt.process.as_str())])>
                    {words::process(&attempt.process)}
                </a>
            </td>
            <td class="first"><Badge icon tone text=attempt.label.clone()/></td>
            <td class="first">{error}</td>
        </tr>
    }
    .erase()
}

/// What a machine said of the last failure.
fn last_error(task: &AdminTask) -> Option<AnyView> {
    let last = task.attempts.iter().find(|attempt| attempt.error_code.is_some())?;
    let code = last.error_code.clone().unwrap_or_default();
    let text = format!("{code}\n{}", last.detail.clone().unwrap_or_default());
    let same = task.cause.as_ref().filter(|_| !task.task.row.status.has_failed()).map(|cause| {
        view! { <a href=format!("/admin/failures?cause={cause}")>"Failures of this cause"</a> }
    });
    Some(
        view! {
            <section aria-labelledby="h-last" class="stack tight">
                <div class="section"><h2 id="h-last">"Last error"</h2>{same}</div>
                <pre class="trace" role="group" tabindex="0" aria-labelledby="h-last">{text}</pre>
            </section>
        }
        .erase(),
    )
}

/// What was asked for.
fn inside(task: &AdminTask) -> AnyView {
    let pretty = |value: &serde_json::Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let hidden = task.redacted.then(|| view! { <p class="meta soft">"People’s data is hidden."</p> });
    let spec = task.execution_spec.as_ref().map(pretty).unwrap_or_else(|| "nothing".to_owned());
    let whole = task.redacted.then(|| {
        let action = format!("/admin/tasks/{}/request", task.task.row.id);
        let form = act::form(
            "whole",
            vec![VerbButton::new(action, "Download with people’s data", "export", "")],
            Vec::new(),
            None,
        );
        view! {
            <div class="panel">
                <h3>"With people’s data"</h3>
                {form}
            </div>
        }
    });
    view! {
        <section aria-labelledby="h-in" class="stack tight">
            <div class="section"><h2 id="h-in">"Request"</h2></div>
            <details class="disclosure">
                <summary><Icon name="right"/>"What was asked for, as it is stored"</summary>
                {hidden}
                <pre class="trace" role="group" tabindex="0" aria-labelledby="h-in">{spec}</pre>
                {whole}
            </details>
        </section>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use super::attempts_used;

    #[test]
    fn how_many_attempts_may_fail_is_a_sentence() {
        assert_eq!(attempts_used(0, 5, false), "No attempt failed; up to 5 are allowed");
        assert_eq!(attempts_used(1, 5, false), "1 attempt failed; up to 5 are allowed");
        assert_eq!(attempts_used(5, 5, false), "5 attempts failed, and no more are allowed");
        assert!(attempts_used(1, 5, true).ends_with("and an error like the last one is not retried"));
    }
}
