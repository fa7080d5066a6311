//! Every page: its address, whom it is for, the help that it leads to, and what makes it. This is the one place where an address
//! becomes a page: the server's routes are made from it, and whatever has no line here is not found.

use std::pin::Pin;

use caseload::{Actor, Caseload};
use model::{Problem, Role};

use super::asked::{Asked, Made, OpenPage};
use super::sheets::{admin, approvals, compose, entry, go, help, ids, import, people, person, settings, task, tasks};
use crate::{
    help::{place::of_kind, topic::Topic},
    server,
};

/// A page at its address.
pub struct PageRoute {
    /// As the router reads it, with a name in braces for what differs from one to the next: there is one at most.
    pub address: &'static str,
    help: PageHelp,
    audience: Audience,
}

/// A page that was asked for; the server gives it as an extension of the request. Without one there is no page there.
#[derive(Clone)]
pub struct PageAsked {
    pub route: &'static PageRoute,
    /// What stands where the address has a name.
    pub named: String,
}

/// Whom a page is for, with what makes it.
#[derive(Clone, Copy)]
enum Audience {
    /// Strangers, too: what is in the address is all that is known of them.
    Anybody(fn(&str) -> Making<'_, OpenPage>),
    Staff(fn(Asked<'_>) -> Making<'_, Made>),
    Administrators(fn(Asked<'_>) -> Making<'_, Made>),
}

/// What somebody reads who asks for help on a page.
#[derive(Clone, Copy)]
enum PageHelp {
    Nothing,
    About(Topic),
    /// That of the action which is composed there.
    OfItsAction,
}

type Making<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The pages of Docket.
pub static PAGES: &[PageRoute] = &[
    open("/login", |search| Box::pin(entry::login(search))),
    open("/login/code", |search| Box::pin(entry::code(search))),
    open("/forgot", |search| Box::pin(entry::forgot(search))),
    open("/password", |search| Box::pin(entry::password(search))),
    open("/setup", |search| Box::pin(entry::setup(search))),
    staff("/people", Topic::FindPeople, |asked| Box::pin(people::page(asked))),
    staff("/people/ids", Topic::SelectPeople, |asked| Box::pin(ids::page(asked))),
    staff("/people/reassign", Topic::ReassignByList, |asked| Box::pin(compose::list(asked))),
    staff("/people/{id}", Topic::OnePerson, |asked| Box::pin(person::page(asked))),
    administrators("/people/{id}/erase", Topic::Erase, |asked| Box::pin(person::erase(asked))),
    PageRoute {
        address: "/actions/new/{kind}",
        help: PageHelp::OfItsAction,
        audience: Audience::Staff(|asked| Box::pin(compose::page(asked))),
    },
    staff("/tasks", Topic::FollowTask, |asked| Box::pin(tasks::page(asked))),
    staff("/tasks/{id}", Topic::Results, |asked| Box::pin(task::page(asked))),
    staff("/approvals", Topic::FollowTask, |asked| Box::pin(approvals::page(asked))),
    staff("/approvals/{id}", Topic::FollowTask, |asked| Box::pin(approvals::decision(asked))),
    staff("/go", Topic::Shortcuts, |asked| Box::pin(go::page(asked))),
    without_help("/help", |asked| Box::pin(help::index(asked))),
    without_help("/help/{topic}", |asked| Box::pin(help::page(asked))),
    staff("/settings", Topic::Settings, |asked| Box::pin(settings::page(asked))),
    staff("/settings/second-factor", Topic::Settings, |asked| Box::pin(settings::second_factor(asked))),
    staff("/settings/passkeys", Topic::Settings, |asked| Box::pin(settings::passkeys(asked))),
    staff("/admin/import", Topic::Import, |asked| Box::pin(import::page(asked))),
    staff("/admin/import/{id}", Topic::Import, |asked| Box::pin(import::prepared_file(asked))),
    administrators("/admin", Topic::Queue, |asked| Box::pin(admin::overview(asked))),
    administrators("/admin/tasks", Topic::RetryOrClose, |asked| Box::pin(admin::tasks(asked))),
    administrators("/admin/tasks/check", Topic::RetryOrClose, |asked| Box::pin(admin::check(asked))),
    administrators("/admin/tasks/{id}", Topic::RetryOrClose, |asked| Box::pin(admin::task(asked))),
    administrators("/admin/failures", Topic::RetryOrClose, |asked| Box::pin(admin::failures(asked))),
    administrators("/admin/processes", Topic::Queue, |asked| Box::pin(admin::processes(asked))),
    administrators("/admin/kinds/{kind}", Topic::PauseKind, |asked| Box::pin(admin::kind(asked))),
    administrators("/admin/locks", Topic::Queue, |asked| Box::pin(admin::locks(asked))),
    administrators("/admin/locks/release", Topic::Queue, |asked| Box::pin(admin::release(asked))),
    administrators("/admin/schedules", Topic::Queue, |asked| Box::pin(admin::schedules(asked))),
    administrators("/admin/schedules/{name}", Topic::Queue, |asked| Box::pin(admin::schedule(asked))),
    administrators("/admin/audit", Topic::AuditTrail, |asked| Box::pin(admin::audit(asked))),
    administrators("/admin/users", Topic::Users, |asked| Box::pin(admin::users(asked))),
    administrators("/admin/users/new", Topic::Users, |asked| Box::pin(admin::new_user(asked))),
    administrators("/admin/users/{id}", Topic::Users, |asked| Box::pin(admin::user(asked))),
    administrators("/admin/settings", Topic::Queue, |asked| Box::pin(admin::settings(asked))),
];

const fn open(address: &'static str, make: fn(&str) -> Making<'_, OpenPage>) -> PageRoute {
    PageRoute { address, help: PageHelp::Nothing, audience: Audience::Anybody(make) }
}

const fn staff(address: &'static str, help: Topic, make: fn(Asked<'_>) -> Making<'_, Made>) -> PageRoute {
    PageRoute { address, help: PageHelp::About(help), audience: Audience::Staff(make) }
}

const fn without_help(address: &'static str, make: fn(Asked<'_>) -> Making<'_, Made>) -> PageRoute {
    PageRoute { address, help: PageHelp::Nothing, audience: Audience::Staff(make) }
}

const fn administrators(address: &'static str, help: Topic, make: fn(Asked<'_>) -> Making<'_, Made>) -> PageRoute {
    PageRoute { address, help: PageHelp::About(help), audience: Audience::Administrators(make) }
}

impl PageAsked {
    /// The page, where it is for strangers as well.
    pub async fn open(&self, search: &str) -> Option<OpenPage> {
        match self.route.audience {
            Audience::Anybody(make) => Some(make(search).await),
            Audience::Staff(_) | Audience::Administrators(_) => None,
        }
    }

    /// The page, for somebody who is signed in.
    pub async fn made(&self, caseload: &Caseload, actor: &Actor, search: &str) -> Made {
        let asked = Asked { caseload, actor, named: &self.named, search };
        match self.route.audience {
            Audience::Administrators(_) if actor.role != Role::Administrator => {
                server::answer(Err(Problem::forbidden("These pages are for administrators.")))
            }
            Audience::Staff(make) | Audience::Administrators(make) => make(asked).await,
            Audience::Anybody(_) => server::answer(Err(Problem::not_found("page"))),
        }
    }

    /// What somebody reads who asks for help there.
    pub fn help(&self) -> Option<Topic> {
        match self.route.help {
            PageHelp::Nothing => None,
            PageHelp::About(topic) => Some(topic),
            PageHelp::OfItsAction => Some(of_kind(&self.named)),
        }
    }
}
