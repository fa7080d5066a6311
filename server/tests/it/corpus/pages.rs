//! Every page there is, at every address that shows something else. One without a row fails the test.

use std::collections::BTreeSet;

use app::server::routes::PAGES;

/// The routes of pages, with addresses at each. `{task}` stands for each task of the test, the others for one of theirs.
const ROUTES: &[(&str, &[&str])] = &[
    ("/login", &["/login", "/login?failed=credentials&username={text}&next={text}"]),
    ("/login/code", &["/login/code", "/login/code?failed={text}&next={text}&with={text}"]),
    ("/forgot", &["/forgot", "/forgot?username={text}&done={text}"]),
    ("/password", &["/password", "/password?token={text}"]),
    ("/setup", &["/setup", "/setup?token={text}&name={text}&username={text}"]),
    (
        "/people",
        &[
            "/people",
            "/people?scope=watchlist",
            "/people?sel={selection}",
            "/people?q={text}",
            "/people?coach={text}&homeCampus={text}",
            "/people?find-coach={text}&find-major={text}&major={text}",
            "/people?sort={text}&after={text}",
        ],
    ),
    ("/people/ids", &["/people/ids", "/people/ids?unknown={text}&more=3&pasted={text}", "/people/ids?sel={selection}"]),
    ("/people/reassign", &["/people/reassign"]),
    ("/people/{id}", &["/people/{person}"]),
    ("/people/{id}/erase", &["/people/{person}/erase"]),
    (
        "/actions/new/{kind}",
        &[
            "/actions/new/program-status?sel={selection}&comment={text}&reason={text}&programStatus={text}",
            "/actions/new/program-status?sel={selection}&programStatus=ACTIVE&comment={text}&reason={text}&step=check",
            "/actions/new/watch?sel={selection}&operation=WATCH&step=check",
            "/actions/new/early-alert?sel={selection}&alertReason=GRADES&comment={text}&step=check",
            "/actions/new/export?sel={selection}&format={text}&sort={text}",
            "/actions/new/reassign-coach?sel={selection}&coach={text}&coachId={text}",
            "/actions/new/reassign-list?sel={selection}",
            "/actions/new/email?sel={selection}&person={person}&template={text}&start={text}&reason={text}&done=test&address={text}",
            "/actions/new/email?sel={selection}&step=check",
            "/actions/new/undo?task={task}",
            "/actions/new/{text}",
        ],
    ),
    ("/admin/import", &["/admin/import"]),
    (
        "/admin/import/{id}",
        &[
            "/admin/import/{import}",
            "/admin/import/{import}?show=new",
            "/admin/import/{import}?show=unreadable",
            "/admin/import/{text}",
        ],
    ),
    ("/approvals", &["/approvals"]),
    ("/approvals/{id}", &["/approvals/{task}", "/approvals/{task}?done={text}"]),
    ("/go", &["/go", "/go?q={text}"]),
    ("/help", &["/help", "/help?q={text}"]),
    ("/help/{topic}", &["/help/email", "/help/{text}"]),
    ("/settings", &["/settings", "/settings?done={text}"]),
    ("/settings/second-factor", &["/settings/second-factor", "/settings/second-factor?next={text}"]),
    ("/settings/passkeys", &["/settings/passkeys", "/settings/passkeys?next={text}"]),
    ("/tasks", &["/tasks", "/tasks?scope=all", "/tasks?status={text}&kind={text}&q={text}&after={text}"]),
    (
        "/tasks/{id}",
        &["/tasks/{task}", "/tasks/{task}?cancel=1", "/tasks/{task}?outcome={text}&reason={text}&after={text}"],
    ),
    ("/admin", &["/admin", "/admin?window=30d", "/admin?window={text}"]),
    (
        "/admin/tasks",
        &[
            "/admin/tasks",
            "/admin/tasks?error={text}&process={text}",
            "/admin/tasks?cause={text}",
            "/admin/tasks?kind={text}",
            "/admin/tasks?owner={text}",
            "/admin/tasks?since={text}&until={text}",
            "/admin/tasks?state=FAILED&columns=all&order={text}",
        ],
    ),
    (
        "/admin/tasks/check",
        &["/admin/tasks/check?do=abandon-all&error={text}&process={text}", "/admin/tasks/check?do=retry&only={task}"],
    ),
    ("/admin/tasks/{id}", &["/admin/tasks/{task}", "/admin/tasks/{task}?done={text}&n={text}"]),
    ("/admin/failures", &["/admin/failures?window=30d", "/admin/failures?cause={text}"]),
    ("/admin/processes", &["/admin/processes"]),
    ("/admin/kinds/{kind}", &["/admin/kinds/export", "/admin/kinds/{text}"]),
    ("/admin/locks", &["/admin/locks"]),
    ("/admin/locks/release", &["/admin/locks/release?name={lock}", "/admin/locks/release?name={text}"]),
    ("/admin/schedules", &["/admin/schedules"]),
    ("/admin/schedules/{name}", &["/admin/schedules/prune-files", "/admin/schedules/{text}"]),
    (
        "/admin/audit",
        &[
            "/admin/audit",
            "/admin/audit?action={text}",
            "/admin/audit?actor={text}",
            "/admin/audit?since={text}&source={text}",
            "/admin/audit?source={text}&credential={text}",
        ],
    ),
    ("/admin/users", &["/admin/users"]),
    ("/admin/users/new", &["/admin/users/new"]),
    ("/admin/users/{id}", &["/admin/users/{account}", "/admin/users/{text}"]),
    ("/admin/settings", &["/admin/settings", "/admin/settings?q={text}"]),
];

/// One address of each page that is for administrators alone.
pub fn of_administrators() -> impl Iterator<Item = &'static str> {
    ROUTES.iter().filter(|(route, _)| is_of_administrators(route)).map(|(_, addresses)| addresses[0])
}

/// Importing has a permission of its own.
pub fn is_of_administrators(route: &str) -> bool {
    route.starts_with("/admin") && !route.starts_with("/admin/import")
}

/// All addresses, after a look that no page is without one.
pub fn addresses() -> Vec<&'static str> {
    let known: BTreeSet<&str> = ROUTES.iter().map(|(route, _)| *route).collect();
    let found: BTreeSet<&str> = PAGES.iter().map(|page| page.address).collect();
    assert_eq!(known, found, "every page needs a row in this file");
    ROUTES.iter().flat_map(|(_, addresses)| addresses.iter().copied()).collect()
}
