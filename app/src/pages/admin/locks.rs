//! Scheduler locks: who has each, for how long, and the last resort when a holder is gone.

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
                <p class="facts"><span>{format!("{held} held")}</span><span>"a lock stops the same work from being done twice"</span></p>
            </div>
        </header>
        {list}
    }
    .erase()
}

fn table_of(locks: Vec<LockInfo>) -> AnyView {
    let lines = locks
        .into_iter()
        .map(|lock| {
            let state = match (lock.held, lock.overdue) {
                (true, true) => view! { <Badge icon="stalled" tone="warn" text="Held, not renewed"/> }.erase(),
                (true, false) => view! { <Badge icon="lock" tone="accent" text="Held"/> }.erase(),
                (false, _) => view! { <Badge icon="inactive" tone="" text="Free"/> }.erase(),
            };
            let lives = lock.held.then(|| {
                let words = match lock.holder_lives {
                    Some(true) => "is running",
                    Some(false) => "is silent",
                    None => "unknown holder",
                };
                view! { <span class="sub">{words}</span> }
            });
            let times = counted(u64::from(lock.renewals), "time", "times");
            let renewed = match lock.renewed_date {
                Some(at) => view! { {format!("{times}, last ")}<Time at exact=true/> }.erase(),
                None => view! { "never" }.erase(),
            };
            let says = format!("Release the lock {}", lock.name);
            let verb = lock.held.then(|| {
                let href = url::with("/admin/locks/release", &[("name", lock.name.as_str())]);
                view! { <a class="button small" href=href aria-label=says>"Release…"</a> }
            });
            view! {
                <tr data-key=lock.name.clone() data-lock=lock.name.clone()>
                    <th scope="row" class="id">{lock.name.clone()}</th>
                    <td class="first">{state}</td>
                    <td class="brief">{(!lock.held).then_some("last ")}{words::process(&lock.holder)}{lives}</td>
                    <td class="brief nowrap" data-prefix="taken"><Time at=lock.locked_date exact=true/></td>
                    <td class="brief nowrap" data-prefix="renewed">{renewed}</td>
                    <td class="brief nowrap" data-prefix="until"><Time at=lock.lock_until exact=true/></td>
                    <td class="nowrap num">{verb}</td>
                </tr>
            }
        })
        .collect_view();
    let heads =
        [Text("Lock"), Text("State"), Text("Holder"), Text("Taken"), Text("Renewed"), Text("Until"), Unseen("Release")];
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
    // As JSON writes it: to the last digit.
    let taken = serde_json::json!(lock.locked_date).as_str().unwrap_or_default().to_owned();
    let hidden = vec![("name", lock.name.clone()), ("taken", taken)];
    let verb = VerbButton::new(ReleaseLock::url(), "Release the lock", "lock", "danger");
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin">"Queue"</a></li>
                    <li><a href="/admin/locks">"Locks"</a></li>
                </ol>
                <h1>{format!("Release “{}”?", lock.name)}</h1>
            </div>
        </header>
        {act::refused(refusal.as_ref())}
        {warning}
        <section class="panel measure" aria-label="Confirm">
            <p>"Held by "<span class="id">{lock.holder.clone()}</span>" until "<Time at=lock.lock_until exact=true/>". Once released, it goes to the next process that asks for it."</p>
            {act::form("lock", vec![verb], hidden, refusal.as_ref())}
            <a class="button quiet" href="/admin/locks">"Cancel"</a>
        </section>
    }
    .erase()
}
