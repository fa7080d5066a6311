//! The emails that a person was sent, what became of them, and the note that one came back.

use leptos::{prelude::*, server_fn::ServerFn};
use model::person::{JournalEntry, Message, MessageState};

use super::api::NoteBounce;
use crate::components::{
    table::{Head::Text, table},
    type_erasure::Erase,
    values::{badge::Badge, time::Time},
};

/// The section, latest first; nothing for whoever was sent none.
#[component]
pub fn Messages(person: String, messages: Vec<Message>) -> impl IntoView {
    (!messages.is_empty()).then(|| {
        let lines = messages.into_iter().map(|message| line(&person, message)).collect_view();
        view! {
            <section aria-labelledby="h-messages">
                <div class="section"><h2 id="h-messages">"Emails"</h2></div>
                {table(
                    "Emails to this person, latest first",
                    &[Text("Subject"), Text("Delivery"), Text("On"), Text("By"), Text("Bounced")],
                    lines,
                )}
            </section>
        }
    })
}

fn line(person: &str, message: Message) -> AnyView {
    let (icon, tone) = match message.state {
        MessageState::Sending => ("running", "accent"),
        MessageState::Sent => ("done", "ok"),
        MessageState::Deferred => ("retrying", "warn"),
        MessageState::Rejected | MessageState::NotSent => ("failed", "danger"),
        MessageState::Uncertain => ("uncertain", "warn"),
    };
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

/// The journal, latest first; nothing for whoever has none.
#[component]
pub fn Journal(entries: Vec<JournalEntry>) -> impl IntoView {
    (!entries.is_empty()).then(|| {
        let lines = entries
            .into_iter()
            .map(|entry| {
                let told = match entry.task_id {
                    Some(task) => view! { <a href=format!("/tasks/{task}")>{entry.entry}</a> }.erase(),
                    None => entry.entry.erase(),
                };
                view! {
                    <tr data-key=entry.created_date.timestamp_micros().to_string()>
                        <td class="first wrap">{told}</td>
                        <td class="brief nowrap"><Time at=entry.created_date date=true/></td>
                        <td class="brief" data-prefix="by">{entry.created_by_name}</td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <section aria-labelledby="h-journal">
                <div class="section"><h2 id="h-journal">"Journal"</h2></div>
                {table("Journal entries, latest first", &[Text("Entry"), Text("On"), Text("By")], lines)}
            </section>
        }
    })
}
