//! What a form has done, as the address it leads to says it and as the page there words it.

use leptos::prelude::*;

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
    TasksRetried = "retry", "will be tried again", "They start as soon as there is room.";
    TasksClosed = "abandon", "closed", "Their owners see your name and the reason.";
    Retried = "retried", "It goes on", "Its owner sees that you retried it, and why.";
    Closed = "abandoned", "Closed", "Its owner sees your name and the reason.";
    PutBack = "put-back", "Back in the queue", "Any process that is up takes it.";
    LockReleased = "released", "The lock is released", "Whoever asks for it next gets it.";
    LockNotHeld = "not-held", "Nobody held it any more", "There was nothing to release.";
    Paused = "paused", "Paused", "It stays so until somebody resumes it.";
    Resumed = "resumed", "Resumed", "What is due goes on at once.";
    Unchanged = "unchanged", "No change needed", "Nothing was changed.";
    RunsSoon = "run", "It runs within seconds", "Its usual times stay as they are.";
    RightsChanged = "changed", "Saved", "It holds from now on.";
    AccountDisabled = "disabled", "The account is disabled", "Its sessions and tokens have ended.";
    AccountEnabled = "enabled", "The account is enabled", "They can sign in again.";
    TokenRevoked = "revoked", "The token is revoked", "Programs that used it are locked out.";
    PreferencesSaved = "preferences", "Saved", "Docket looks and behaves like this wherever you sign in.";
    LinkSent = "address", "Look into your mailbox",
        "We sent a link to your new address. Until you follow it, nothing goes there.";
    AddressVerified = "verified", "Your address is verified", "Answers, tests and notices go there from now on.";
    PasswordChanged = "password", "Your password is changed",
        "Your other sessions and your access tokens have ended.";
    SessionsEnded = "sessions", "You are signed out everywhere else", "Only this session goes on.";
    EverythingEnded = "everything", "You are signed out everywhere else",
        "Your access tokens have ended, too. Only this session goes on.";
    SessionEnded = "session", "That browser is signed out", "Whoever uses it has to sign in again.";
    TestSent = "test", "The test is on its way", "It went to";
    DraftSaved = "save", "Draft saved", "You find it here when you write the next email.";
    TemplateSaved = "template-save", "Template saved", "You can use it for every email.";
    TemplateUsed = "template-use", "Template used", "Subject and message are those of the template now.";
    TemplateDeleted = "template-delete", "Template deleted", "The text in the form is left as it was.";
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
    fn in_address(search: &str) -> Option<Done> {
        let name = url::value(search, "done")?;
        Done::ALL.iter().copied().find(|done| done.name() == name)
    }
}

/// What has just been done, from the address.
pub fn notice(search: &str) -> Option<AnyView> {
    let done = Done::in_address(search)?;
    let (title, text) = done.words();
    let number = |key| url::value(search, key).and_then(|n| n.parse::<u64>().ok()).unwrap_or_default();
    let title = match done {
        Done::TasksRetried | Done::TasksClosed => format!("{} {title}", model::tasks(number("n"))),
        _ => title.to_owned(),
    };
    let mut text = match done {
        Done::TestSent => format!("{text} {}.", url::value(search, "address").unwrap_or_default()),
        _ => text.to_owned(),
    };
    let left = number("left");
    if left > 0 {
        text += &format!(" Of those you looked at, {} had changed since and stay as they are.", model::grouped(left));
    }
    Some(view! { <Notice tone="ok" title text/> }.erase())
}
