//! What a form has done, as the address it leads to says it and as the page there words it.

use leptos::prelude::*;
use model::{TaskKind, TaskState, admin::ScheduleName};

use crate::components::values::numbers;
use crate::{
    components::{blank::Notice, type_erasure::Erase},
    url,
};

macro_rules! done {
    ($($(#[$meta:meta])* $variant:ident = $name:literal, $title:literal, $text:literal;)+) => {
        /// What a form has done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Done { $($(#[$meta])* $variant,)+ }

        impl Done {
            const ALL: &'static [Done] = &[$(Done::$variant),+];

            /// Its name in an address.
            pub const fn name(self) -> &'static str {
                match self { $(Done::$variant => $name),+ }
            }

            /// Title and text, each without what the address says beside: how many tasks, and where a test went.
            const fn words(self) -> (&'static str, &'static str) {
                match self { $(Done::$variant => ($title, $text)),+ }
            }
        }
    };
}

done! {
    TasksRetried = "retry", "retried", "The list shows how far each of them is.";
    TasksClosed = "abandon", "closed", "Owners see your name and the reason.";
    Retried = "retried", "The task is retried", "Its owner sees your name and the reason.";
    Closed = "abandoned", "The task is closed", "Its owner sees your name and the reason.";
    PutBack = "put-back", "The task was put back in the queue", "The next free process runs it.";
    LockReleased = "released", "The lock is released", "It goes to the next process that asks for it.";
    LockNotHeld = "not-held", "The lock was already free", "There was nothing to release.";
    Paused = "paused", "Paused", "It stays paused until somebody resumes it.";
    Resumed = "resumed", "Resumed", "Tasks and jobs that are due start now.";
    StartChanged = "start", "The start time is changed", "The new one is above. Everything else stays as it was.";
    Unchanged = "unchanged", "No change needed", "Nothing was changed.";
    RunsSoon = "run", "It will run within seconds", "Its schedule is unchanged.";
    RightsChanged = "changed", "Saved", "The change applies from now on.";
    AccountDisabled = "disabled", "The account is disabled", "Its sessions and tokens have ended.";
    TasksHandedOver = "handed-over", "The tasks are handed over", "They run as their new owner from now on.";
    LeftTasksClosed = "left-closed", "The tasks are closed", "They never run. What they had done stays done.";
    AccountEnabled = "enabled", "The account is enabled", "They can sign in again.";
    TokenRevoked = "revoked", "The token is revoked", "Programs that used it are locked out.";
    PreferencesSaved = "preferences", "Saved", "Docket looks and behaves like this wherever you sign in.";
    LinkSent = "address", "Check your email",
        "We sent a link to your new address. Open it to confirm the address.";
    AddressVerified = "verified", "Your address is confirmed", "Replies, test emails and notices go there from now on.";
    PasswordChanged = "password", "Your password is changed",
        "Your other sessions and your access tokens have ended.";
    AppReplaced = "app-replaced", "Your authenticator app is replaced",
        "Only codes of the new one count. Your other sessions have ended.";
    AppRemoved = "app-removed", "Your authenticator app is removed",
        "Its codes do not count any more. Your other sessions have ended.";
    PasskeyAdded = "passkey-added", "The passkey is added",
        "You can sign in with it from now on. Your other sessions have ended.";
    PasskeyRemoved = "passkey-removed", "The passkey is removed",
        "Nobody can sign in with it any more. Your other sessions have ended.";
    SecondFactorReset = "factor-reset", "The second factor is reset",
        "They are signed out, and sign in with their password alone until they set up another one.";
    PasswordLinkRequested = "requested", "Check your email",
        "If that is an account with an email address, a link is on its way to it. It works for 30 minutes.";
    PasswordChosen = "chosen", "Your password is saved", "Sign in with it.";
    InvitationSent = "invited", "The user is added", "An email with a link to choose a password is on its way.";
    PasswordLinkSent = "link", "The link is on its way", "With it they choose a new password themselves.";
    SessionsEnded = "sessions", "You are signed out everywhere else", "You stay signed in only here.";
    EverythingEnded = "everything", "You are signed out everywhere else",
        "Your access tokens have been revoked too. You stay signed in only here.";
    SessionEnded = "session", "That browser is signed out", "Whoever uses it has to sign in again.";
    Approved = "approved", "Approved", "The task runs once it is due. Whoever submitted it has been told.";
    Declined = "declined", "Declined", "The task does not run. Whoever submitted it has been told why.";
    TestSent = "test", "Test email sent", "It went to";
    PersonErased = "erased", "The person was erased",
        "Exported and uploaded files that might include them were deleted.";
    DraftSaved = "save", "Draft saved", "The text will be here when you next write an email. The people you selected are not kept with it.";
    DraftDiscarded = "discard", "Draft discarded", "You can write a new text for the people you selected.";
    TemplateSaved = "template-save", "Template saved", "You can use it for every email.";
    TemplateUsed = "template-use", "Template used", "The subject and message now come from the template.";
    TemplateDeleted = "template-delete", "Template deleted", "The text in the form is left as it was.";
}

/// The key in an address that says what was done.
pub const KEY: &str = "done";

/// The key in an address that says of what it was done: the name of a kind of task, or of a recurring job.
pub const OF: &str = "of";

/// What is paused or goes on, by its name, where there is one of that name.
fn paused(done: Done, name: &str) -> Option<(String, &'static str)> {
    let title = match done {
        Done::Paused => "Paused",
        Done::Resumed => "Resumed",
        _ => return None,
    };
    if let Ok(kind) = name.parse::<TaskKind>() {
        let text = match done {
            Done::Paused => "They stay paused until somebody resumes them.",
            _ => "Those that are due start now.",
        };
        return Some((format!("{} tasks are {}", kind.label(), title.to_lowercase()), text));
    }
    let job = name.parse::<ScheduleName>().ok()?;
    Some((format!("{title}: {}", job.label()), done.words().1))
}

impl From<model::admin::BulkVerb> for Done {
    fn from(verb: model::admin::BulkVerb) -> Done {
        match verb {
            model::admin::BulkVerb::Retry => Done::TasksRetried,
            model::admin::BulkVerb::Abandon => Done::TasksClosed,
        }
    }
}

impl Done {
    /// Whether this is what the address says was done.
    pub fn is_said(self, search: &str) -> bool {
        Done::in_address(search) == Some(self)
    }

    fn in_address(search: &str) -> Option<Done> {
        let name = url::value(search, KEY)?;
        Done::ALL.iter().copied().find(|done| done.name() == name)
    }
}

/// What has just been done, from the address.
pub fn notice(search: &str) -> Option<AnyView> {
    notice_of_tasks(search, &[])
}

/// The same above tasks in these states: what somebody closes is cancelled where it was a task of their own.
pub fn notice_of_tasks(search: &str, states: &[TaskState]) -> Option<AnyView> {
    let done = Done::in_address(search)?;
    let (title, text) = done.words();
    let number = |key| url::value(search, key).and_then(|n| n.parse::<u64>().ok()).unwrap_or_default();
    let has = |state| states.contains(&state);
    let closed = match (has(TaskState::Cancelled), has(TaskState::Abandoned)) {
        (false, _) => "closed",
        (true, false) => "cancelled",
        (true, true) => "cancelled or closed",
    };
    let named = paused(done, &url::value(search, OF).unwrap_or_default());
    let title = match done {
        Done::TasksRetried => format!("{} {title}", numbers::tasks(number("n"))),
        // What its button said.
        Done::TasksClosed => format!("{} {title}", numbers::tasks(number("n"))),
        Done::Closed => format!("The task is {closed}"),
        _ => named.as_ref().map_or(title, |(title, _)| title).to_owned(),
    };
    let text = named.map_or(text, |(_, text)| text);
    let text = match done {
        Done::TasksRetried => retried(number("n"), states).unwrap_or(text),
        Done::PutBack => put_back(states).unwrap_or(text),
        _ => text,
    };
    let mut text = match done {
        Done::TasksClosed => own(number("n"), states).unwrap_or(text).to_owned(),
        Done::Closed if closed == "cancelled" => "The reason is kept in the audit trail.".to_owned(),
        Done::TestSent => format!("{text} {}.", url::value(search, "address").unwrap_or_default()),
        _ => text.to_owned(),
    };
    let left = number("left");
    if left > 0 {
        text += &format!(" Skipped because they had changed: {}.", numbers::grouped(left));
        text += among(number("n"), left, states).unwrap_or_default();
    }
    Some(view! { <Notice tone="ok" title text/> }.erase())
}

/// How far tasks are by now that were retried, where all of them are in these states.
fn retried(all: u64, states: &[TaskState]) -> Option<&'static str> {
    if states.is_empty() || states.len() as u64 != all {
        return None;
    }
    let waiting = states.iter().filter(|state| WAITING.contains(state)).count();
    Some(match (waiting, states.contains(&TaskState::Running)) {
        (0, true) => "None of them is waiting anymore.",
        (0, false) if all == 1 => "It has ended.",
        (0, false) => "All of them have ended.",
        (1, _) if all == 1 => "It starts as soon as a slot is free.",
        _ if waiting == states.len() => "They start as soon as slots are free.",
        _ => "Those that wait start as soon as slots are free.",
    })
}

/// That those are in the list, too, which were skipped: where it has all of them and no other.
fn among(all: u64, left: u64, states: &[TaskState]) -> Option<&'static str> {
    let shown = states.len() as u64;
    let text = if left == 1 { " The list shows it too." } else { " The list shows them too." };
    (shown > 0 && shown == all.saturating_add(left)).then_some(text)
}

/// How tasks are shown that were closed by whoever owns them.
fn own(all: u64, states: &[TaskState]) -> Option<&'static str> {
    let has = |state| states.contains(&state);
    match (has(TaskState::Cancelled), has(TaskState::Abandoned)) {
        (false, _) => None,
        (true, false) if all == 1 => {
            Some("It is shown as cancelled, as it is yours. The reason is kept in the audit trail.")
        }
        (true, false) => Some("They are shown as cancelled, as they are yours. The reason is kept in the audit trail."),
        (true, true) => Some("Yours are shown as cancelled. Other owners see your name and the reason."),
    }
}

/// The same of a task that was put back in the queue.
fn put_back(states: &[TaskState]) -> Option<&'static str> {
    match states {
        [TaskState::Running] => Some("It is running again."),
        [state] if !WAITING.contains(state) => Some("It has ended since."),
        _ => None,
    }
}

/// The states of what has not begun, or is to begin again.
const WAITING: [TaskState; 4] = [TaskState::Waiting, TaskState::Retrying, TaskState::Scheduled, TaskState::Held];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_have_ended_are_not_said_to_start() {
        use TaskState::{Done, DoneWithProblems, Failed, Running, Waiting};
        assert_eq!(retried(2, &[Waiting, Waiting]), Some("They start as soon as slots are free."));
        assert_eq!(retried(2, &[Waiting, Done]), Some("Those that wait start as soon as slots are free."));
        assert_eq!(retried(2, &[Running, Done]), Some("None of them is waiting anymore."));
        assert_eq!(retried(2, &[DoneWithProblems, Failed]), Some("All of them have ended."));
        assert_eq!(retried(1, &[Done]), Some("It has ended."));
        assert_eq!(retried(30, &[Waiting]), None, "of those that are not shown nothing is said");
        assert_eq!([put_back(&[Done]), put_back(&[Waiting])], [Some("It has ended since."), None]);
    }

    /// “2 tasks retried” stood above a list of three, without a word about the third.
    #[test]
    fn a_task_that_was_skipped_is_said_to_be_in_the_list() {
        use TaskState::{Done, Waiting};
        let said = |search: &str, states: &[TaskState]| notice_of_tasks(search, states).unwrap().to_html();
        let three = said("done=retry&n=2&left=1", &[Waiting, Waiting, Done]);
        assert!(three.contains("2 tasks retried"), "{three}");
        assert!(three.contains("Skipped because they had changed: 1. The list shows it too."), "{three}");
        assert!(!said("done=retry&n=2&left=1", &[Waiting, Waiting]).contains("shows it too"));
        assert!(!said("done=retry&n=2", &[Waiting, Waiting]).contains("Skipped"));
    }

    #[test]
    fn tasks_of_ones_own_that_were_closed_are_said_to_be_shown_as_cancelled() {
        use TaskState::{Abandoned, Cancelled};
        let said = |states: &[TaskState]| notice_of_tasks("done=abandon&n=2", states).unwrap().to_html();
        let yours = said(&[Cancelled, Cancelled]);
        assert!(yours.contains("2 tasks closed") && yours.contains("shown as cancelled, as they are yours"), "{yours}");
        assert!(said(&[Cancelled, Abandoned]).contains("Yours are shown as cancelled."));
        assert!(!said(&[Abandoned, Abandoned]).contains("cancelled"));
    }

    #[test]
    fn what_is_paused_is_called_by_its_name() {
        let said = |done, name| paused(done, name).map(|(title, _)| title);
        assert_eq!(said(Done::Paused, "email").as_deref(), Some("Email tasks are paused"));
        assert_eq!(said(Done::Resumed, "email").as_deref(), Some("Email tasks are resumed"));
        let job = said(Done::Paused, "prune-unused").unwrap();
        assert_eq!(job, "Paused: Deletes expired selections and previews");
        assert_eq!([said(Done::Paused, "<b>"), said(Done::Unchanged, "email")], [None, None]);
    }
}
