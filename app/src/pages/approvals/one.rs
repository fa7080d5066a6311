//! One task that waits, or waited, for a second person: what will happen, as it was asked for and now, and the decision.

use leptos::prelude::*;
use model::{
    Me,
    approval::{Approval, ApprovalDetail, ApprovalLine, ApprovalState},
    kind::Description,
};

use super::list::{self, PAGE, state_badge};
use crate::{
    components::{
        blank::Notice,
        table::{Head::Text, table},
        textarea::TextArea,
        type_erasure::Erase,
        values::{
            badge::NowThen,
            numbers::{counted, grouped, people},
            time::Time,
        },
    },
    refusal::{Refusal, wrong},
};

/// The page, as this reader sees it.
pub fn view(detail: ApprovalDetail, me: &Me, refusal: Option<&Refusal>) -> AnyView {
    let approval = &detail.approval;
    let waits = approval.state == ApprovalState::Waiting;
    // What is wrong with the note is said there.
    let refused = refusal.filter(|refusal| refusal.0.message_for("note").is_none());
    let refused = refused.map(|refusal| {
        view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> }
    });
    let own = approval.asked_by == me.person_id;
    let task = (own || me.role.reads_all_tasks()).then(|| format!("/tasks/{}", approval.id));
    let decision = match (waits, approval.can_decide) {
        (true, true) => form(&detail, refusal),
        (true, false) => waiting(&detail, own, task),
        (false, _) => decided(approval, task),
    };
    let unit = Description::of(&approval.kind).unit;
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href=PAGE>"Approvals"</a></li>
                    <li class="id">{model::short_id(approval.id)}</li>
                </ol>
                <div class="title"><h1>{approval.title.clone()}</h1>{state_badge(approval)}</div>
                <p class="facts">
                    <span>{counted(approval.total, unit.0, unit.1)}</span>
                    <span>"asked by "{approval.asked_by_name.clone()}" "<Time at=approval.asked_date/></span>
                    {waits.then(|| view! { <span>"expires "<Time at=approval.expiry_date ahead=true/></span> })}
                </p>
            </div>
        </header>
        {refused}
        {changed(&detail)}
        <div class="columns last">
            <div>
                <div class="stack">{sum(&detail)}{facts(&detail)}</div>
                <div class="stack">{decision}{waits.then(|| why(&detail))}</div>
                {sample(&detail)}
            </div>
        </div>
    }
    .erase()
}

/// What is other than it was when it was asked for; the list can only have become shorter.
fn changed(detail: &ApprovalDetail) -> Option<AnyView> {
    let now = detail.will_change_now?;
    let approval = &detail.approval;
    if detail.lines.iter().all(|line| line.now == Some(line.asked)) {
        return None;
    }
    let more = detail.lines.iter().filter_map(|line| {
        let more = line.now?.checked_sub(line.asked).filter(|more| *more > 0 && line.reason.is_some())?;
        Some(format!("{} {}", grouped(more), line.label))
    });
    let more: Vec<String> = more.collect();
    let skipped = if more.is_empty() { String::new() } else { format!("Skipped since then: {}. ", more.join(", ")) };
    let (now, asked) = (people(now), grouped(approval.will_change));
    let text = match Description::of(&approval.kind).freezes_people {
        true => format!(
            "{now} would change now, not {asked}. {skipped}Nobody was added: the task keeps to the {} that {} saw.",
            people(approval.total),
            approval.asked_by_name
        ),
        // It has no list of people to keep to.
        false => format!("It is about {now} now, not {asked}. {skipped}It reads whoever matches when it runs."),
    };
    let title = format!("The list changed since {} asked", approval.asked_by_name);
    Some(view! { <Notice tone="warn" title text/> }.erase())
}

/// What will happen, as it was asked for and now. Both columns add up.
fn sum(detail: &ApprovalDetail) -> AnyView {
    let is_counted = detail.will_change_now.is_some();
    let total = grouped(detail.approval.total);
    let total_now = grouped(detail.lines.iter().filter_map(|line| line.now).sum());
    let lines = detail.lines.iter().map(|line| sum_line(line, is_counted)).collect_view();
    let now = is_counted.then(|| view! { <th scope="col" class="num">"Now"</th> });
    let change = is_counted.then(|| view! { <th scope="col" class="num">"Change"</th> });
    let unit = Description::of(&detail.approval.kind).unit.1;
    view! {
        <section aria-labelledby="h-sum">
            <div class="section">
                <h2 id="h-sum">{if is_counted { "What will happen" } else { "What was asked for" }}</h2>
                {is_counted.then(|| view! { <span class="meta soft">"counted again "<Time at=detail.counted_date exact=true/></span> })}
            </div>
            <div class="tableframe">
                <table class="table still sum">
                    <caption class="hidden">"People by what happens to them, as asked and now; both columns add up to the total"</caption>
                    <thead>
                        <tr><th scope="col" class="num">"As asked"</th>{now}<th scope="col">"What happens"</th>{change}</tr>
                    </thead>
                    <tbody>{lines}</tbody>
                    <tfoot>
                        <tr>
                            <td class="num">{total}</td>
                            {is_counted.then(|| view! { <td class="num">{total_now}</td> })}
                            <th scope="row">{unit}</th>
                            {is_counted.then(|| view! { <td></td> })}
                        </tr>
                    </tfoot>
                </table>
            </div>
        </section>
    }
    .erase()
}

fn sum_line(line: &ApprovalLine, is_counted: bool) -> AnyView {
    let (key, label, class) = match line.reason {
        None => ("CHANGE", line.label.clone(), Some("lead")),
        Some(reason) => (reason.name(), format!("skipped: {}", line.label), None),
    };
    let now = line.now.unwrap_or_default();
    let change = match now.cmp(&line.asked) {
        std::cmp::Ordering::Equal => "0".to_owned(),
        std::cmp::Ordering::Greater => format!("+{}", grouped(now - line.asked)),
        std::cmp::Ordering::Less => format!("−{}", grouped(line.asked - now)),
    };
    view! {
        <tr data-key=key class=class>
            <td class="num">{grouped(line.asked)}</td>
            {is_counted.then(|| view! { <td class="num">{grouped(now)}</td> })}
            <th scope="row">{label}</th>
            {is_counted.then(|| view! { <td class="num">{change}</td> })}
        </tr>
    }
    .erase()
}

/// What was chosen, and why.
fn facts(detail: &ApprovalDetail) -> AnyView {
    let facts =
        detail.facts.iter().map(|(name, value)| view! { <dt>{name.clone()}</dt><dd><bdi>{value.clone()}</bdi></dd> });
    let facts = facts.collect_view();
    let reason = detail.reason.clone().map(|reason| view! { <dt>"Reason"</dt><dd><bdi>{reason}</bdi></dd> });
    let start = detail.start_date.map(|at| view! { <dt>"Start"</dt><dd><Time at ahead=true/></dd> });
    view! {
        <section aria-labelledby="h-chosen">
            <div class="section"><h2 id="h-chosen">"What was chosen"</h2></div>
            <dl class="defs">{facts}{start}{reason}</dl>
        </section>
    }
    .erase()
}

/// The decision, as a form that needs no script.
fn form(detail: &ApprovalDetail, refusal: Option<&Refusal>) -> AnyView {
    let approval = &detail.approval;
    let now = detail.will_change_now.unwrap_or(approval.will_change);
    let reads = !Description::of(&approval.kind).has_ledger();
    let changes = match reads {
        true => format!("Approve for {}", people(now)),
        false => format!("Approve {}", counted(now, "change", "changes")),
    };
    let note = refusal.and_then(|refusal| refusal.given("note")).unwrap_or_default();
    let drift = format!(
        "It starts once you approve. If the number changes by more than {} before you press, Docket shows it to you again first.",
        people(detail.drift_allowed)
    );
    view! {
        <form class="panel sunken stays" method="post" action=list::address(approval) aria-labelledby="h-decide">
            <h2 id="h-decide">"Your decision"</h2>
            <input type="hidden" name="seen" value=now.to_string()/>
            <TextArea
                label=format!("Note to {}", approval.asked_by_name)
                name="note"
                value=note
                hint="Needed to decline. Kept with the task."
                problem=wrong(refusal, "note")
            />
            <div class="stack tight">
                <button class="button primary large wide" name="decide" value="approve">{changes}</button>
                <button class="button wide" name="decide" value="decline">"Decline"</button>
            </div>
            <p class="meta soft">{drift}</p>
        </form>
    }
    .erase()
}

/// What whoever cannot decide sees while it waits.
fn waiting(detail: &ApprovalDetail, own: bool, task: Option<String>) -> AnyView {
    let by = match own {
        true => "Nobody decides on their own tasks.",
        false => "You cannot decide on this one.",
    };
    view! {
        <section class="panel sunken stays" aria-labelledby="h-decide">
            <h2 id="h-decide">"Waiting for a decision"</h2>
            <p>{format!("{} can decide. {by}", detail.deciders.in_words())}</p>
            {task.map(|href| view! { <a class="button wide" href=href>"Show the task"</a> })}
        </section>
    }
    .erase()
}

fn decided(approval: &Approval, task: Option<String>) -> AnyView {
    let by = approval.decided_by_name.clone();
    let said = match (approval.state, by) {
        (ApprovalState::Approved, Some(by)) => format!("{by} approved it."),
        (ApprovalState::Declined, Some(by)) => format!("{by} declined it. Nobody was changed."),
        (ApprovalState::Expired, _) => "Nobody decided in time. Nobody was changed.".to_owned(),
        _ => "The task was cancelled before anybody decided. Nobody was changed.".to_owned(),
    };
    let note = approval.note.clone().map(|note| view! { <p>"“"<bdi>{note}</bdi>"”"</p> });
    view! {
        <section class="panel sunken stays" aria-labelledby="h-decide">
            <h2 id="h-decide">{approval.state.label()}</h2>
            {note}
            <p>{said}{approval.decided_date.map(|at| view! { " "<Time at/> })}</p>
            {task.map(|href| view! { <a class="button wide" href=href>"Show the task"</a> })}
        </section>
    }
    .erase()
}

/// Why somebody is asked.
fn why(detail: &ApprovalDetail) -> AnyView {
    let rule = match detail.above {
        Some(above) => format!("Tasks above {} need a second person.", people(above)),
        None => "Tasks of this kind need a second person.".to_owned(),
    };
    view! {
        <section aria-labelledby="h-why">
            <div class="section"><h2 id="h-why">"Why it waits"</h2></div>
            <p class="soft">{rule}" Nobody approves their own."</p>
        </section>
    }
    .erase()
}

/// Some of those who would change.
fn sample(detail: &ApprovalDetail) -> Option<AnyView> {
    if detail.sample.is_empty() {
        return None;
    }
    let changes = Description::of(&detail.approval.kind).has_ledger();
    let lines = detail.sample.iter().cloned().map(|row| {
        view! {
            <tr data-key=row.person_id.to_string()>
                <th scope="row">{row.name}</th>
                <td class="brief id soft nowrap">{row.school_id}</td>
                {changes.then(|| view! {
                    <td class="first"><NowThen now=Some(row.now) then=Some(row.then) verb="becomes"/></td>
                })}
                <td class="brief" data-prefix="coach">{row.coach_name}</td>
            </tr>
        }
    });
    let lines = lines.collect_view();
    let heads: &[_] = match changes {
        true => &[Text("Name"), Text("School ID"), Text("Current → new"), Text("Coach")],
        false => &[Text("Name"), Text("School ID"), Text("Coach")],
    };
    let shown = detail.sample.len() as u64;
    let title = format!("{} of the {} it is for now", grouped(shown), grouped(detail.will_change_now.unwrap_or(shown)));
    Some(
        view! {
            <section aria-labelledby="h-sample">
                <div class="section"><h2 id="h-sample">{title}</h2></div>
                {table("Sample of people", heads, lines)}
            </section>
        }
        .erase(),
    )
}
