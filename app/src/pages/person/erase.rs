//! The last question before a person is erased.

use leptos::{prelude::*, server_fn::ServerFn};
use model::person::PersonDetail;

use super::api::ErasePerson;
use crate::{
    components::{blank::Notice, icon::Icon},
    refusal::{Refusal, wrong},
};

/// The page.
#[component]
pub fn Erase(person: PersonDetail, refusal: Option<Refusal>) -> impl IntoView {
    let row = person.row;
    let at = |field: &str| wrong(refusal.as_ref(), field);
    let given = |field: &str| refusal.as_ref().and_then(|refusal| refusal.given(field)).unwrap_or_default();
    let (wrong_id, wrong_reason) = (at("schoolId"), at("reason"));
    let (id, reason) = (given("schoolId"), given("reason"));
    let other = refusal.as_ref().filter(|refusal| refusal.0.errors.is_empty());
    let refused = other.map(|refusal| view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> });
    let back = format!("/people/{}", row.id);
    let school_id = row.school_id.as_ref().map(ToString::to_string).unwrap_or_default();
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/people">"People"</a></li>
                    <li><a href=back.clone()>{person.full_name.clone()}</a></li>
                </ol>
                <h1>{format!("Erase {}", person.full_name)}</h1>
            </div>
        </header>
        {refused}
        <div class="notice danger">
            <Icon name="problems"/>
            <div>
                <h2>"This cannot be undone"</h2>
                <ul class="bullets">
                    <li>"The person is deleted, with their status history, journal and early alerts. They disappear from every watch list."</li>
                    <li>"No more emails are sent to them. Their address and their replies are deleted from emails already sent."</li>
                    <li>"Task results keep a line for the person, without the name. Running tasks skip the person."</li>
                    <li>"Every exported file, and every uploaded file that is not imported yet, is deleted: this person may be in it."</li>
                    <li>"The audit trail keeps the person’s internal ID, your name and your reason."</li>
                    <li>"A later import that names the same school ID adds the person again."</li>
                </ul>
            </div>
        </div>
        <form class="stack measure" method="post" action=ErasePerson::url()>
            <input type="hidden" name="id" value=row.id.to_string()/>
            <div class="field">
                <label for="schoolId">"Type the school ID to confirm: " <strong class="id">{row.school_id.clone()}</strong></label>
                <input
                    class="input"
                    id="schoolId"
                    name="school_id"
                    autocomplete="off"
                    required
                    value=id
                    aria-describedby="schoolId-problem"
                    aria-invalid=wrong_id.is_some().then_some("true")
                />
                <span class="problem" id="schoolId-problem">
                    {wrong_id.map(|wrong| format!("{wrong} Type {school_id}."))}
                </span>
            </div>
            <div class="field">
                <label for="reason">"Reason"</label>
                <input
                    class="input"
                    id="reason"
                    name="reason"
                    required
                    maxlength="500"
                    autocomplete="off"
                    value=reason
                    aria-describedby="reason-hint reason-problem"
                    aria-invalid=wrong_reason.is_some().then_some("true")
                />
                <span class="hint" id="reason-hint">"Why this person is erased. Kept in the audit trail, so leave out the person’s name."</span>
                <span class="problem" id="reason-problem">{wrong_reason}</span>
            </div>
            <div class="line">
                <button class="button danger large">"Erase this person"</button>
                <a class="button quiet large" href=back>"Cancel"</a>
            </div>
        </form>
    }
}
