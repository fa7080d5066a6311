//! What waits for the reader's decision, and what they have asked others for.

use leptos::prelude::*;
use model::approval::{Approval, ApprovalState};

use crate::components::{
    blank::Blank,
    table::{
        Head::{Number, Text},
        table,
    },
    type_erasure::Erase,
    values::{badge::Badge, numbers::grouped, time::Time},
};

/// The address of the list.
pub const PAGE: &str = "/approvals";

/// That of one.
pub fn address(approval: &Approval) -> String {
    format!("{PAGE}/{}", approval.id)
}

/// Both lists.
pub fn view(waiting: Vec<Approval>, asked: Vec<Approval>) -> AnyView {
    let waiting = match waiting.is_empty() {
        true if !asked.is_empty() => view! { <p class="soft">"Nothing waits for you."</p> }.erase(),
        true => {
            let text =
                "When a colleague submits a task that needs a second person, and you can decide, it is listed here.";
            view! { <Blank icon="approve" title="Nothing waits for you" text=text>""</Blank> }.erase()
        }
        false => table(
            "Tasks that wait for your decision",
            &[Text("Task"), Text("Asked by"), Number("People"), Text("Expires")],
            waiting.iter().map(waiting_line).collect_view(),
        ),
    };
    let asked = (!asked.is_empty()).then(|| {
        let lines = asked.iter().map(asked_line).collect_view();
        let heads = [Text("Task"), Text("State"), Number("People"), Text("Asked")];
        view! {
            <section aria-labelledby="h-asked">
                <div class="section"><h2 id="h-asked">"You asked for"</h2></div>
                {table("Tasks of yours that needed a second person", &heads, lines)}
            </section>
        }
    });
    view! {
        <header class="head"><div><h1>"Approvals"</h1></div></header>
        <section aria-labelledby="h-waiting">
            <div class="section"><h2 id="h-waiting">"Waiting for your decision"</h2></div>
            {waiting}
        </section>
        {asked}
    }
    .erase()
}

fn waiting_line(approval: &Approval) -> AnyView {
    view! {
        <tr data-key=approval.id.to_string()>
            <th scope="row"><a href=address(approval)>{approval.title.clone()}</a></th>
            <td class="brief" data-prefix="asked by">{approval.asked_by_name.clone()}", "<Time at=approval.asked_date/></td>
            <td class="num" data-prefix="people">{grouped(approval.total)}</td>
            <td class="brief" data-prefix="expires"><Time at=approval.expiry_date ahead=true/></td>
        </tr>
    }
    .erase()
}

fn asked_line(approval: &Approval) -> AnyView {
    view! {
        <tr data-key=approval.id.to_string()>
            <th scope="row"><a href=address(approval)>{approval.title.clone()}</a></th>
            <td class="first">{state_badge(approval)}</td>
            <td class="num" data-prefix="people">{grouped(approval.total)}</td>
            <td class="brief" data-prefix="asked"><Time at=approval.asked_date/></td>
        </tr>
    }
    .erase()
}

/// Where it stands.
pub fn state_badge(approval: &Approval) -> AnyView {
    let (icon, tone) = match approval.state {
        ApprovalState::Waiting => ("approve", "info"),
        ApprovalState::Approved => ("done", "ok"),
        ApprovalState::Declined | ApprovalState::Expired | ApprovalState::Cancelled => ("cancelled", ""),
    };
    let text = match (approval.state, approval.can_decide) {
        (ApprovalState::Waiting, true) => "Waiting for your approval",
        (state, _) => state.label(),
    };
    view! { <Badge icon tone text/> }.erase()
}
