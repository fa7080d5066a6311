//! An account to be.

use leptos::prelude::*;

use super::shared::roles;
use crate::{
    components::{
        optional::Optional,
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
    },
    pages::setup::USERNAME,
    refusal::{Refusal, wrong},
};

/// A school ID that nobody has is taken once somebody says that it is new.
fn new_school_id(refusal: Option<&Refusal>) -> Option<AnyView> {
    let refusal = refusal?;
    let is_new = refusal.given("newSchoolId").is_some_and(|given| !given.is_empty());
    let is_unknown = refusal.0.errors.iter().any(|error| error.field == "schoolId" && error.code == "unknown");
    (is_new || is_unknown).then(|| {
        view! {
            <label class="choice">
                <input type="checkbox" name="new_school_id" value="yes" checked=is_new/>
                <span>"This school ID is new"<small>"The person is added to Docket with it, and imported files can name them as coach by it"</small></span>
            </label>
        }
        .erase()
    })
}

/// An account to be; `username` as it was typed before, if it was refused.
pub fn new(proof: OwnProof, sends_mail: bool, username: String, refusal: Option<Refusal>) -> AnyView {
    let field = |name: &'static str, label: &'static str, hint: &str, key: &'static str, required: bool| {
        let wrong = wrong(refusal.as_ref(), key);
        let given = refusal.as_ref().and_then(|refusal| refusal.given(key)).unwrap_or_default();
        let given = if key == "username" { username.clone() } else { given };
        let (hint_id, problem_id) = (format!("{name}-hint"), format!("{name}-problem"));
        view! {
            <div class="field">
                <label for=name>{label}{(!required).then(|| view! { <Optional/> })}</label>
                <input
                    class="input"
                    id=name
                    name=name
                    required=required
                    maxlength="100"
                    autocomplete="off"
                    value=given
                    aria-describedby=format!("{hint_id} {problem_id}")
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="hint" id=hint_id>{hint.to_owned()}</span>
                <span class="problem" id=problem_id>{wrong}</span>
                {(key == "schoolId").then(|| new_school_id(refusal.as_ref()))}
            </div>
        }
        .erase()
    };
    let sign_in = format!("What they sign in with. {USERNAME}");
    let start = match sends_mail {
        true => "They start with the usual permissions of the role; you can change them afterwards.",
        false => {
            "They start with the usual permissions of the role; you can change them afterwards. Docket creates a password and shows it once, for you to give to them. It works for one sign-in; then they choose their own."
        }
    };
    let role = refusal.as_ref().and_then(|refusal| refusal.given("role")).unwrap_or_else(|| "coach".to_owned());
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/admin/users">"Users"</a></li></ol>
                <h1>"Add a user"</h1>
            </div>
        </header>
        <form class="stack measure" method="post" action="/admin/users/add">
            {field("name", "Name", "First and last name, as students and colleagues see it.", "name", true)}
            {field("username", "Username", &sign_in, "username", true)}
            {field("school_id", "School ID", "Of a member of staff who is in Docket already; their name there stays. Leave it empty for anybody else.", "schoolId", false)}
            {sends_mail.then(|| field("address", "Email address", "They get a link there to choose a password. Without it Docket shows you a one-time password to pass on.", "address", false))}
            {roles(&role)}
            {field("reason", "Reason", "Why they get an account. Kept in the audit trail.", "reason", true)}
            {own_password("own", &proof, refusal.as_ref())}
            <p class="soft">
                {start}
            </p>
            <div class="line">
                <button class="button primary large">"Add the user"</button>
                <a class="button quiet large" href="/admin/users">"Back to users"</a>
            </div>
        </form>
    }
    .erase()
}
