//! Scheduler locks: what each is for, who has it and until when, and the last resort when a holder is gone.

use leptos::{prelude::*, server_fn::ServerFn};
use model::admin::LockInfo;

use super::{
    act::{self, VerbButton},
    api::ReleaseLock,
    words,
};
use crate::components::values::numbers::counted;
use crate::{
    components::{
        blank::{Blank, Notice},
        table::{
            Head::{Text, Unseen},
            table,
        },
        type_erasure::Erase,
        values::{badge::Badge, time::Time},
    },
    refusal::Refusal,
    url,
};

/// The page.
pub fn view(locks: Vec<LockInfo>) -> AnyView {
    let held = locks.iter().filter(|lock| lock.held).count();
    let facts = match (held, locks.len()) {
        (_, 0) => "None yet".to_owned(),
        (0, _) => "All are free".to_owned(),
        (held, all) => format!("{held} of {all} held"),
    };
    let list = match locks.is_empty() {
        true => view! {
            <Blank icon="lock" title="No locks yet" text="Each recurring job holds a lock while it runs.">
                <a class="button" href="/admin/schedules">"See the schedules"</a>
            </Blank>
        }
        .erase(),
        false => table_of(locks),
    };
    view! {
        <header class="head">
            <div>
                <h1>"Locks"</h1>
                <p class="facts"><span>{facts}</span></p>
            </div>
        </header>
        <p class="soft measure">
            "Whoever holds a lock does its work alone, so that no other process does the same work at the same time. A lock is released by itself when its time has passed. Release one by hand only if its holder has stopped or is stuck and the work cannot wait."
        </p>
        {list}
    }
    .erase()
}

/// What a lock is called, and what it is for.
fn called(name: &str) -> (String, &'static str) {
    match name.strip_prefix("schedule:").and_then(words::schedule) {
        Some(purpose) => (purpose.to_owned(), "Held while this recurring job runs"),
        None => (name.to_owned(), "Held by a command or program that asked for it"),
    }
}

fn state(lock: &LockInfo) -> AnyView {
    match (lock.held, lock.overdue) {
        (true, true) => view! { <Badge icon="stalled" tone="warn" text="Held, not renewed"/> }.erase(),
        (true, false) => view! { <Badge icon="lock" tone="accent" text="Held"/> }.erase(),
        (false, _) => view! { <Badge icon="inactive" tone="" text="Free"/> }.erase(),
    }
}

fn table_of(locks: Vec<LockInfo>) -> AnyView {
    // Where all are free, none will be.
    let some_held = locks.iter().any(|lock| lock.held);
    let lines = locks
        .into_iter()
        .map(|lock| {
            let (title, purpose) = called(&lock.name);
            let code = (title != lock.name).then(|| view! { <span class="sub id">{lock.name.clone()}</span> });
            let lives = lock.held.then(|| {
                let words = match lock.holder_lives {
                    Some(true) => "is running",
                    Some(false) => "is silent",
                    None => "unknown holder",
                };
                view! { <span class="sub">{words}</span> }
            });
            let renewed = lock.renewed_date.filter(|_| lock.held).map(|at| {
                let times = counted(u64::from(lock.renewals), "time", "times");
                view! { <span class="sub">{format!("renewed {times}, last ")}<Time at exact=true/></span> }
            });
            let until = some_held.then(|| match lock.held {
                true => view! { <td class="brief nowrap" data-prefix="free from"><Time at=lock.lock_until exact=true/></td> }.erase(),
                false => view! { <td class="wide-only soft">"now"</td> }.erase(),
            });
            let says = format!("Release the lock {}", lock.name);
            let verb = lock.held.then(|| {
                let href = url::with("/admin/locks/release", &[("name", lock.name.as_str())]);
                view! { <a class="button small" href=href aria-label=says>"Release…"</a> }
            });
            let holder = if lock.held { "held by" } else { "last held by" };
            view! {
                <tr data-key=lock.name.clone() data-lock=lock.name.clone()>
                    <th scope="row">{title}<span class="sub">{purpose}</span>{code}</th>
                    <td class="first">{state(&lock)}</td>
                    <td class="brief" data-prefix=holder>
                        {words::process(&lock.holder)}
                        {lives}
                    </td>
                    <td class="brief" data-prefix=if lock.held { "taken" } else { "last taken" }><Time at=lock.locked_date exact=true/>{renewed}</td>
                    {until}
                    {some_held.then(|| view! { <td class="nowrap num">{verb}</td> })}
                </tr>
            }
        })
        .collect_view();
    let mut heads = vec![Text("Lock"), Text("State"), Text("Last holder"), Text("Last taken")];
    heads.extend(some_held.then_some([Text("Free from"), Unseen("Release")]).into_iter().flatten());
    table("Locks, held ones first", &heads, lines)
}

/// The question before a lock is released.
pub fn release(lock: LockInfo, refusal: Option<Refusal>) -> AnyView {
    let warning = match (lock.held, lock.holder_lives) {
        (true, None) => Some((
            "Docket does not know whether the holder is running",
            "Unknown holder, perhaps a command that is running. If you release the lock, another may do the same work at the same time.",
        )),
        (true, Some(true)) => Some((
            "The holder is running",
            "The process is running and may be using the lock right now. If you release it, the same work may be done twice. Wait until the lock expires unless you know that the process is stuck.",
        )),
        (false, _) => Some(("Nobody holds it", "There is nothing to release.")),
        _ => None,
    };
    let warning = warning.map(|(title, text)| view! { <Notice tone="warn" title text/> });
    let back = |label: &'static str, class: &'static str| view! { <a class=class href="/admin/locks">{label}</a> };
    // As JSON writes it: to the last digit.
    let taken = serde_json::json!(lock.locked_date).as_str().unwrap_or_default().to_owned();
    let hidden = vec![("name", lock.name.clone()), ("taken", taken)];
    let verb = VerbButton::new(ReleaseLock::url(), "Release the lock", "lock", "danger");
    let (title, purpose) = called(&lock.name);
    let question = match lock.held {
        false => view! { <div class="line">{back("Back to the locks", "button")}</div> }.into_view().erase(),
        true => view! {
        <section class="panel measure" aria-label="Confirm">
            <p>"Held by "<span class="id">{lock.holder.clone()}</span>" until "<Time at=lock.lock_until exact=true/>". Once released, the next process that asks for it gets it and does the work. Nothing that was done is undone."</p>
            {act::form("lock", vec![verb], hidden, refusal.as_ref())}
            {back("Cancel", "button quiet")}
        </section>
        }
        .into_view()
        .erase(),
    };
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin">"Queue"</a></li>
                    <li><a href="/admin/locks">"Locks"</a></li>
                </ol>
                <div class="title"><h1>{format!("Release “{title}”?")}</h1>{state(&lock)}</div>
                <p class="facts"><span>{purpose}</span><span class="id">{lock.name.clone()}</span></p>
            </div>
        </header>
        {act::refused(refusal.as_ref())}
        {warning}
        {question}
    }
    .erase()
}
