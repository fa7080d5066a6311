//! What is done, as the audit trail names it and as people read it; an entry of what is not here is none (see `entry`).

/// What each action says, after the name of whoever did it.
const ACTIONS: &[(&str, &str)] = &[
    ("account.add", "Added an account"),
    ("account.address", "Changed their email address"),
    ("account.address_wish", "Asked to change their email address"),
    ("account.change", "Changed a role or permissions"),
    ("account.disable", "Disabled an account"),
    ("account.enable", "Enabled an account"),
    ("account.factor", "Set up an authenticator app"),
    ("account.factor_remove", "Removed their authenticator app"),
    ("account.factor_replace", "Replaced their authenticator app"),
    ("account.factor_reset", "Reset a second factor"),
    ("account.invite", "Sent a link to choose a password"),
    ("account.join", "Linked an account to the sign-in of an institution"),
    ("account.link", "Asked for a link to choose a password"),
    ("account.passkey_add", "Added a passkey"),
    ("account.passkey_remove", "Removed a passkey"),
    ("account.passkey_suspect", "Refused a passkey that may have been copied"),
    ("account.password", "Changed a password"),
    ("account.password_drop", "Removed a one-time password"),
    ("account.recovery_codes", "Made new recovery codes"),
    ("account.recovery_use", "Used a recovery code"),
    ("account.sessions_end", "Signed out everywhere else"),
    ("account.unlink", "Unlinked an account from the sign-in of an institution"),
    ("audit.export", "Downloaded the audit trail"),
    ("directory.change", "Changed what it says of somebody"),
    ("directory.group_add", "Added a group"),
    ("directory.group_change", "Changed a group"),
    ("directory.group_remove", "Deleted a group"),
    ("directory.join", "Linked an account to the directory"),
    ("directory.remove", "Deleted somebody from the directory"),
    ("directory.token_issue", "Created a token of the directory"),
    ("directory.token_revoke", "Revoked tokens of the directory"),
    ("email.bounce", "Noted a bounce"),
    ("email.test", "Sent a test email"),
    ("export.disclose", "Exported people"),
    ("export.download", "Downloaded a file"),
    ("kind.pause", "Paused a kind of task"),
    ("kind.resume", "Resumed a kind of task"),
    ("ledger.download", "Downloaded task results"),
    ("lock.release", "Released a lock"),
    ("person.erase", "Erased a person"),
    ("person.unwatch", "Stopped watching a person"),
    ("person.watch", "Watched a person"),
    ("request.cross-site", "Was refused a request from another site"),
    ("request.denied", "Was refused something without permission"),
    ("request.hidden", "Was refused something that is not theirs"),
    ("request.throttled", "Sent too many requests and was refused"),
    ("schedule.pause", "Paused a schedule"),
    ("schedule.resume", "Resumed a schedule"),
    ("schedule.run", "Ran a schedule"),
    ("session.begin", "Signed in"),
    ("session.end", "Signed out"),
    ("session.half", "Entered the right password and was asked for a code"),
    ("session.refused", "Could not sign in"),
    ("task.abandon", "Cancelled or closed a task"),
    ("task.approval_expire", "Ended a task that nobody approved"),
    ("task.approve", "Approved a task"),
    ("task.dead", "Noted that a task failed"),
    ("task.decline", "Declined a task"),
    ("task.disclose", "Downloaded a request with people’s data"),
    ("task.put-back", "Put a task back in the queue"),
    ("task.reschedule", "Changed a task’s start time"),
    ("task.retry", "Retried a task"),
    ("task.send-now", "Sent a held email early"),
    ("task.submit", "Submitted a task"),
    ("tasks.abandon", "Closed tasks"),
    ("tasks.hand-over", "Handed over tasks"),
    ("tasks.retry", "Retried tasks"),
    ("tasks.submit", "Submitted self-tests"),
    ("token.issue", "Created a token"),
    ("token.revoke", "Revoked a token"),
];

/// Whether there is such an action, or with a dot at its end such a noun; after a `-`, all others.
pub(crate) fn is_known(action: &str) -> bool {
    let action = action.strip_prefix('-').unwrap_or(action);
    ACTIONS.iter().any(|(name, _)| *name == action || action.ends_with('.') && name.starts_with(action))
}

/// What happened to a password: to one's own, with a link that was sent or without, to somebody else's, or by a command.
pub(crate) fn password_label(is_own: bool, by_link: bool, by_somebody: bool) -> &'static str {
    match (by_link, is_own, by_somebody) {
        (true, ..) => "Chose a password with a link",
        (_, true, _) => "Changed their password",
        (.., true) => "Gave a one-time password to an account",
        _ => "Changed a password",
    }
}

pub(crate) fn label(action: &str) -> String {
    ACTIONS.iter().find(|(name, _)| *name == action).map_or_else(|| action.to_owned(), |(_, label)| (*label).to_owned())
}
