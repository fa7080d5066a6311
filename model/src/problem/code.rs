//! The codes of refusals, each with what it means. There is no other way to a code than through this list, so that each one
//! that a program can meet is explained where its `type` leads.

/// A stable word for programs: `confirmation_required`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(&'static str);

impl Code {
    pub const fn name(self) -> &'static str {
        self.0
    }
}

/// Why something cannot be done as things stand (409): a code, with the title that says what is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    code: Code,
    title: &'static str,
}

impl Conflict {
    pub const fn code(self) -> Code {
        self.code
    }

    pub const fn title(self) -> &'static str {
        self.title
    }
}

impl Code {
    /// All of them, with their meaning, by name.
    pub fn all() -> Vec<(Code, &'static str)> {
        let mut all = [Code::REFUSALS, Conflict::ALL].concat();
        all.sort_by_key(|(code, _)| code.name());
        all
    }
}

macro_rules! codes {
    ($($konst:ident $name:literal $meaning:literal;)*) => {
        impl Code {
            $(pub const $konst: Code = Code($name);)*

            const REFUSALS: &'static [(Code, &'static str)] = &[$((Code::$konst, $meaning)),*];
        }
    };
}

macro_rules! conflicts {
    ($($konst:ident $name:literal $title:literal $meaning:literal;)*) => {
        impl Conflict {
            $(pub const $konst: Conflict = Conflict { code: Code($name), title: $title };)*

            const ALL: &'static [(Code, &'static str)] = &[$((Conflict::$konst.code, $meaning)),*];
        }
    };
}

codes! {
    ACCOUNT_DISABLED "account_disabled"
        "An administrator has disabled the account.";
    ADDRESS_LINK_GONE "address_link_gone"
        "The link to an email address was used before, is older than a day, or was sent to another account.";
    AMBIGUOUS "ambiguous"
        "Several tasks have this short ID. Send the full ID.";
    APPROVAL_DRIFTED "approval_drifted"
        "Other numbers of people would change now than whoever approves has seen: seen and willChange say how many. Nothing was approved. Look again, and send the new number.";
    BAD_REQUEST "bad_request"
        "The request is not valid HTTP.";
    CODE_USED "code_used"
        "A code of an authenticator app works once, and this one has been used. Wait for the next one.";
    CODE_WRONG "code_wrong"
        "The code is not one that the authenticator app shows now, nor a recovery code that is left.";
    CONFIRMATION_REQUIRED "confirmation_required"
        "The number of people has to be confirmed. Send the answer's member total as confirmTotal, or the previewToken of a preview.";
    CROSS_SITE "cross_site"
        "A browser sent the request from a page of another site. Programs send an access token instead of a cookie.";
    DRIFTED "drifted"
        "The list of people changed too much since the preview: joined and left say by how many. Nothing was submitted. Preview again.";
    FILE_GONE "file_gone"
        "The exported file has expired or was deleted. Export again.";
    FORBIDDEN "forbidden"
        "The account does not have permission to do this. An administrator can change that.";
    IDEMPOTENCY_KEY_REUSED "idempotency_key_reused"
        "The Idempotency-Key was used for another request. Use a new key for a new request, and the old one only to repeat the old request.";
    INTERNAL "internal"
        "A fault of Docket. Nothing was changed; the log has the cause under the requestId of the answer.";
    INVALID "invalid"
        "Something in the request is wrong or missing. The member errors names each field, with a code and a message of its own.";
    LIMIT_REACHED "limit_reached"
        "The account has reached a limit: limit names the setting, most is its value, and retryAfter says in how many seconds to try again, where waiting helps.";
    MALFORMED "malformed"
        "The body is not well-formed JSON.";
    MAIL_NOT_SET_UP "mail_not_set_up"
        "This server has no mail server to send email with.";
    METHOD_NOT_ALLOWED "method_not_allowed"
        "This address does not take this method. The header Allow says which it takes.";
    NOBODY_MATCHES "nobody_matches"
        "The target has nobody whom the account can act on, so no task was created.";
    NOBODY_TO_APPROVE "nobody_to_approve"
        "The task needs the approval of a second person, and nobody else has the permission for all of its people.";
    NO_ACCOUNT_HERE "no_account_here"
        "The provider let somebody in who has no account in Docket, and none could be made.";
    NO_OWN_ADDRESS "no_own_address"
        "The account has no email address to send to.";
    NO_ROLE_GIVEN "no_role_given"
        "The provider let somebody in and gives them no role in Docket.";
    NOT_FOUND "not_found"
        "It does not exist, or the account does not have access to it; which of the two is not said.";
    NOT_READY "not_ready"
        "The process cannot work right now; part says what is missing.";
    NOT_TEXT "not_text"
        "The request contains a character that is not allowed in text.";
    OUTDATED "outdated"
        "The page was loaded from another version of Docket. Reload it.";
    NO_SECOND_FACTOR "no_second_factor"
        "The account has no second factor of this kind.";
    PASSKEYS_OFF "passkeys_off"
        "Nobody can use passkeys here: Docket has no public address for which devices keep them.";
    PASSKEY_REFUSED "passkey_refused"
        "The passkey is unknown, or its answer does not fit what was asked.";
    PASSWORD_CHANGE_REQUIRED "password_change_required"
        "The account has a one-time password. Choose your own before anything else.";
    PASSWORD_LINK_GONE "password_link_gone"
        "The link to choose a password was used before, is too old, or a newer one was sent.";
    PASSWORD_SPENT "password_spent"
        "A one-time password works for one sign-in, and this one has been used.";
    PREVIEW_DIFFERS "preview_differs"
        "The request has another action or other people than the preview whose token it sends.";
    PREVIEW_GONE "preview_gone"
        "The preview was made more than 30 minutes ago, or by somebody else. Preview again.";
    PREVIEW_REQUIRED "preview_required"
        "From a page, so many people can be changed only after a check.";
    SCOPE "scope"
        "The access token does not have the scope for this. Create one that has it.";
    SECOND_FACTOR_MISSING "second_factor_missing"
        "The account must have a second factor and has none. Set one up in a browser before anything else.";
    SECOND_FACTOR_REQUIRED "second_factor_required"
        "The password is right, and the account has a second factor. Send a code with it.";
    SELECTION_GONE "selection_gone"
        "The selection has expired. Select the people again.";
    SETUP_LINK_GONE "setup_link_gone"
        "The link was used before, or is too old. Docket prints a new one when it starts without any account.";
    SIGNED_OUT "signed_out"
        "Nobody is signed in. Send an access token as Authorization: Bearer, or sign in.";
    SIGN_IN_FAILED "sign_in_failed"
        "The username or password is wrong.";
    SIGN_IN_OVER "sign_in_over"
        "The sign-in took too long, or the account has changed since its password was typed. Sign in again.";
    TEST_NOT_SENT "test_not_sent"
        "The test email could not be sent.";
    THROTTLED "throttled"
        "Too many attempts. Wait as many seconds as Retry-After says.";
    TIMEOUT "timeout"
        "The answer took too long. Try again.";
    TOO_LARGE "too_large"
        "The request is larger than this address accepts.";
    TOO_MANY "too_many"
        "Too many people to list by ID.";
    TOO_MANY_PEOPLE "too_many_people"
        "Too many people for one task of this kind. Narrow the target.";
    UNAVAILABLE "unavailable"
        "A service that Docket needs does not answer right now. Try again in a moment.";
    UNREACHABLE "unreachable"
        "The page cannot reach its server.";
    UNREADABLE "unreadable"
        "The form was incomplete.";
    UNSUPPORTED_MEDIA_TYPE "unsupported_media_type"
        "This address does not accept this type of body; most accept application/json.";
}

conflicts! {
    ALREADY "already" "Nothing to change"
        "It is already as requested. Nothing was changed.";
    ALREADY_PAUSED "already_paused" "It is already paused"
        "The kind of task or the schedule is already paused.";
    CHANGED_SINCE "changed_since" "It has changed since you looked"
        "It has changed since you looked. Look again; the answer says who or what has it now.";
    CONFLICT "conflict" "The task has moved on"
        "This cannot be done in the task's current state; currentStatus says which it is.";
    DECIDED "decided" "It is no longer waiting for approval"
        "The task was approved, declined or cancelled before, or nobody decided in time; state says which.";
    DRAFT_CHANGED "draft_changed" "The draft was changed elsewhere"
        "The draft was changed in another window since this one read it.";
    HOLD_OVER "hold_over" "The email is no longer held"
        "The hold is over: the email was sent, is being sent, or was cancelled.";
    IN_USE "in_use" "The database is in use"
        "The database holds people or accounts already, so no demo data is put into it.";
    LAST_ADMINISTRATOR "last_administrator" "Docket needs an administrator"
        "Without this account there would be no administrator left.";
    NOBODY_LEFT "nobody_left" "Nobody is left to retry"
        "Everyone who could be retried has been retried since.";
    NOBODY_TO_RESEND "nobody_to_resend" "Nobody to resend to"
        "Nobody in this task has this outcome, or it is not an email.";
    NOT_HELD "not_held" "The lock is free"
        "Nobody holds this lock.";
    NOT_PAUSED "not_paused" "It is not paused"
        "The kind of task or the schedule is not paused.";
    NOT_REPEATABLE "not_repeatable" "This task cannot be repeated"
        "Tasks of this kind cannot be repeated.";
    NOT_STALLED "not_stalled" "The task is not stalled"
        "Only a task whose process is silent, or that is past its deadline, can be put back in the queue.";
    NOT_UNDOABLE "not_undoable" "This task cannot be undone"
        "This cannot be undone: the kind has no undo, the task has not ended, or it changed nobody.";
    NOTHING_TO_DO "nothing_to_do" "None of these tasks can be changed"
        "None of the tasks is in a state that allows this.";
    PAUSED "paused" "The schedule is paused"
        "The schedule is paused or turned off, so it does not run.";
    TAKEN "taken" "It is there already"
        "Something else has this name or key already.";
    SUBMITTER_GONE "submitter_gone" "It cannot run any more"
        "Whoever submitted the task has lost the permission for it, or their account.";
    UNDER_WAY "under_way" "The undo is already running"
        "The task is already being undone; undoneBy says by which task.";
    UNDONE "undone" "The task has already been undone"
        "The task has already been undone; undoneBy says by which task.";
    YOURSELF "yourself" "This is your own account"
        "You cannot do this to your own account.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_is_a_word_of_its_own_with_a_meaning() {
        let all = Code::all();
        for (place, (code, meaning)) in all.iter().enumerate() {
            assert!(code.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{code:?}");
            assert!(meaning.ends_with('.'), "{code:?}");
            assert!(all[..place].iter().all(|(other, _)| other != code), "{code:?} is there twice");
        }
    }
}
