//! The emails that a person was sent, what became of them, and the note that one came back.

use leptos::{prelude::*, server_fn::ServerFn};
use model::person::{Message, MessageState};

use super::api::NoteBounce;
use crate::components::{
    table::{Head::Text, table},
    type_erasure::Erase,
    values::{badge::Badge, time::Time},
};

/// The list, latest first; nothing for whoever was sent none.
pub fn list(person: &str, messages: Vec<Message>) -> Option<AnyView> {
    (!messages.is_empty()).then(|| {
        let lines = messages.into_iter().map(|message| line(person, message)).collect_view();
        let heads = [Text("Subject"), Text("Delivery"), Text("On"), Text("By"), Text("Bounced")];
        table("Emails to this person, latest first", &heads, lines)
    })
}

/// The icon of what became of an email, and its tint.
pub fn look(state: MessageState) -> (&'static str, &'static str) {
    match state {
        MessageState::Sending => ("running", "accent"),
        MessageState::Sent => ("done", "ok"),
        MessageState::Deferred => ("retrying", "warn"),
        MessageState::Rejected | MessageState::NotSent => ("failed", "danger"),
        MessageState::Uncertain => ("uncertain", "warn"),
    }
}

fn line(person: &str, message: Message) -> AnyView {
    let (icon, tone) = look(message.state);
    let may_come_back = matches!(message.state, MessageState::Sent | MessageState::Uncertain);
    let noted = message.bounce_note.clone().map(|note| {
        let by = message.bounce_by_name.clone().map(|name| format!("noted by {name}"));
        view! { <span>{note}</span> <span class="meta soft">{by}</span> }
    });
    let form = may_come_back.then(|| {
        view! {
            <details class="menu start">
                <summary class="button quiet small">{if noted.is_some() { "Edit bounce…" } else { "Add bounce…" }}</summary>
                <form class="panel stack tight" method="post" action=NoteBounce::url()>
                    <input type="hidden" name="person" value=person.to_owned()/>
                    <input type="hidden" name="task" value=message.task_id.to_string()/>
                    <label class="field">
                        "Why it bounced"
                        <input class="input" name="note" maxlength="500" value=message.bounce_note.clone()/>
                    </label>
                    <button class="button small">"Save"</button>
                </form>
            </details>
        }
    });
    view! {
        <tr data-key=message.task_id.to_string()>
            <th scope="row"><a href=format!("/tasks/{}", message.task_id)>{message.subject}</a></th>
            <td class="first">
                <span class="line">
                    <Badge icon tone text=message.state.label()/>
                    <span class="meta soft">{message.address}</span>
                    <span class="meta soft">{message.reply}</span>
                </span>
            </td>
            <td class="brief nowrap"><Time at=message.date date=true/></td>
            <td class="brief" data-prefix="by">{message.sender_name}</td>
            <td class="first"><span class="line">{noted}{form}</span></td>
        </tr>
    }
    .erase()
}
