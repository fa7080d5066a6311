//! The handle on the domain, what all who have one share, and the use cases by what they are about:
//! `caseload.people().list(…)`. The methods of each group stand in the room that does the work.

use std::sync::{Arc, OnceLock};

use model::{AccountId, Instant};
use queue::{Database, Queue};

use crate::{
    Result,
    accounts::{passwords::rule::PasswordRule, second_factor::SecondFactors},
    admin::health::cache::LastHealth,
    audit::denial_counter::Denials,
    files::{exports::Exports, store::Files},
    limits::{bounds::Limits, one_at_a_time::AccountTurns, open_counts::OpenCounts},
    mail::Mail,
    staff_names::StaffNames,
    submit::approvals::ApprovalRule,
};

/// A cheap handle on the domain.
#[derive(Clone)]
pub struct Caseload {
    pub(crate) inner: Arc<CaseloadInner>,
}

pub(crate) struct CaseloadInner {
    pub db: Database,
    pub queue: Queue,
    pub names: StaffNames,
    pub health: LastHealth,
    pub exports: Exports,
    pub mail: Mail,
    pub self_test: bool,
    pub limits: Limits,
    pub open_pages: OpenCounts,
    pub turns: AccountTurns,
    pub denials: Denials,
    pub passwords: PasswordRule,
    pub second_factors: OnceLock<SecondFactors>,
    pub approvals: OnceLock<ApprovalRule>,
}

impl Caseload {
    /// `self_test` allows the self-test kind, which exercises the queue. The exports are those that [`Caseload::registry`] was
    /// given, and the mail is that one, too. The limits are for each account.
    pub fn new(queue: Queue, exports: Exports, mail: Mail, self_test: bool, limits: Limits) -> Caseload {
        Caseload::with_passwords(queue, exports, mail, self_test, limits, PasswordRule::Everybody)
    }

    /// The same where passwords are for some only.
    pub fn with_passwords(
        queue: Queue,
        exports: Exports,
        mail: Mail,
        self_test: bool,
        limits: Limits,
        passwords: PasswordRule,
    ) -> Caseload {
        let db = queue.db().clone();
        let (names, health) = (StaffNames::default(), LastHealth::default());
        let (open_pages, turns, denials) = Default::default();
        let inner = CaseloadInner {
            db,
            queue,
            names,
            health,
            exports,
            mail,
            self_test,
            limits,
            open_pages,
            turns,
            denials,
            passwords,
            second_factors: OnceLock::new(),
            approvals: OnceLock::new(),
        };
        Caseload { inner: Arc::new(inner) }
    }

    pub fn db(&self) -> &Database {
        &self.inner.db
    }

    pub fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    /// Where tasks put their files.
    pub fn files(&self) -> &Files {
        &self.inner.exports.files
    }

    /// How long the file of an export can be downloaded.
    pub fn exports_kept(&self) -> std::time::Duration {
        self.inner.exports.kept
    }

    /// How mail is sent.
    pub fn mail(&self) -> &Mail {
        &self.inner.mail
    }

    /// The name of somebody of staff, from memory if it is there.
    pub(crate) async fn staff_name(&self, id: AccountId) -> Result<String> {
        self.inner.names.of(self.db(), id).await
    }

    /// Who may come in by a password.
    pub fn passwords(&self) -> &PasswordRule {
        &self.inner.passwords
    }

    /// What one account may have.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// The time on the clock that tasks go by.
    pub fn now(&self) -> Instant {
        self.inner.db.clock().now()
    }
}

macro_rules! groups {
    ($($(#[$about:meta])* $name:ident: $Group:ident,)*) => {
        $($(#[$about])*
        #[derive(Clone, Copy)]
        pub struct $Group<'a>(pub(crate) &'a Caseload);
        )*

        impl Caseload {
            $($(#[$about])*
            pub fn $name(&self) -> $Group<'_> {
                $Group(self)
            })*
        }
    };
}

groups! {
    /// People: their list, one of them, what is written about them, and erasing them.
    people: People,
    /// People who were picked for an action.
    selections: Selections,
    /// Filters that an account has saved.
    views: Views,
    /// Actions on people: what one would do, asking for it, and what may follow on it.
    actions: Actions,
    /// Tasks that wait for a second person.
    approvals: Approvals,
    /// An account's tasks, what became of each person, and the files they made.
    tasks: Tasks,
    /// Emails that are being written.
    emails: Emails,
    /// Files of people to import.
    imports: Imports,
    /// Accounts: signing in, passwords and settings of those who have them.
    accounts: Accounts,
    /// The steps of a sign-in, and what is asked beside a password.
    factors: Factors,
    /// Passkeys: what devices are asked, and what their answers open.
    passkeys: Passkeys,
    /// What commands on the machine do to accounts.
    by_command: ByCommand,
    /// The directory of the institution, which provisions staff.
    directory: Directory,
    /// Access tokens of accounts.
    tokens: Tokens,
    /// The queue as administrators see it, and what they do to it.
    admin: Admin,
    /// Accounts as administrators see them.
    users: Users,
    /// What was done, and by whom.
    audit: Audit,
}
