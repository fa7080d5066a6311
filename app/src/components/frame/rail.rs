//! The rail: the places one can go to. On small screens it is a sheet, by the `popover` attribute alone.

use leptos::prelude::*;
use model::{Me, Role};

use crate::components::values::numbers::grouped;
use crate::{
    account,
    components::{icon::Icon, type_erasure::Erase},
    live::Live,
};

/// The saved views, and whether one of them is shown.
#[derive(Default)]
pub struct SavedViews {
    pub view: Option<AnyView>,
    pub is_here: bool,
}

/// The rail of the page at this path.
pub fn rail(me: Option<&Me>, running: u64, approvals: Option<u64>, views: SavedViews, path: &str) -> AnyView {
    let here = |place: &str| path.starts_with(place).then_some("page");
    let undoes = here("/actions/new/undo");
    let people = here("/people").or(here("/actions/new/").filter(|_| undoes.is_none())).filter(|_| !views.is_here);
    let approvals = approvals.map(|waiting| {
        let count = (waiting > 0).then(|| view! { <span class="count">{format!("{} waiting", grouped(waiting))}</span> });
        view! {
            <li>
                <a href="/approvals" aria-current=here("/approvals")><Icon name="approve"/><span>"Approvals"</span>{count}</a>
            </li>
        }
    });
    let admin = me.filter(|me| me.role == Role::Administrator).map(|_| administration(path));
    view! {
        <nav class="rail" id="rail" popover="auto" aria-label="Main">
            <button type="button" class="button quiet rail-close" popovertarget="rail" popovertargetaction="hide">
                <Icon name="close"/>
                <span class="hidden">"Close menu"</span>
            </button>
            <div>
                <h2 id="nav-work">"Work"</h2>
                <ul aria-labelledby="nav-work">
                    <li>
                        <a href="/people" data-keys="g p" aria-current=people><Icon name="people"/><span>"People"</span></a>
                    </li>
                    <li>
                        <a href="/tasks" data-keys="g t" aria-current=here("/tasks").or(undoes)>
                            <Icon name="tasks"/>
                            <span>"My tasks"</span>
                            <Running count=running/>
                        </a>
                    </li>
                    {approvals}
                </ul>
            </div>
            {views.view}
            {admin}
            <ul aria-label="You">
                <li><a href="/settings" aria-current=here("/settings")><Icon name="settings"/><span>"Settings"</span></a></li>
                <li>
                    <a href="/help" aria-current=here("/help")><Icon name="help"/><span>"Help and shortcuts"</span></a>
                </li>
            </ul>
        </nav>
    }
    .erase()
}

/// How many of the reader's tasks are running.
#[island]
fn Running(count: u64) -> impl IntoView {
    let changes = RwSignal::from(Live::of_page().running);
    let now = RwSignal::new(count);
    let ask = Action::new(|(): &()| account::running());
    Effect::new(move |before: Option<u32>| {
        let changes = changes.get();
        if before.is_some_and(|before| before != changes) {
            ask.dispatch(());
        }
        changes
    });
    Effect::new(move |_| {
        if let Some(Ok(count)) = ask.value().get() {
            now.set(count);
        }
    });
    move || {
        Some(now.get())
            .filter(|n| *n > 0)
            .map(|n| view! { <span class="count">{format!("{} running", grouped(n))}</span> })
    }
}

/// What administrators have beside.
fn administration(path: &str) -> AnyView {
    let places = PLACES.map(|it| place(it, path)).into_iter().collect_view();
    view! {
        <div>
            <h2 id="nav-admin">"Administration"</h2>
            <ul aria-labelledby="nav-admin">{places}</ul>
        </div>
    }
    .erase()
}

/// Where administrators go: address, icon and name.
pub const PLACES: [(&str, &str, &str); 10] = [
    ("/admin", "gauge", "Queue"),
    ("/admin/tasks", "tasks", "All tasks"),
    ("/admin/failures", "failures", "Failures"),
    ("/admin/processes", "process", "Processes"),
    ("/admin/locks", "lock", "Locks"),
    ("/admin/schedules", "schedule", "Schedules"),
    ("/admin/users", "user", "Users"),
    ("/admin/audit", "audit", "Audit trail"),
    ("/admin/import", "import", "Import people"),
    ("/admin/settings", "file", "Settings in effect"),
];

fn place((href, icon, name): (&'static str, &'static str, &'static str), path: &str) -> AnyView {
    // The overview is at the beginning of every other address.
    let here = match href {
        "/admin" => path == href,
        // The kinds of task are listed there.
        "/admin/processes" => path.starts_with(href) || path.starts_with("/admin/kinds/"),
        _ => path.starts_with(href),
    };
    let keys = (href == "/admin").then_some("g a");
    view! {
        <li>
            <a href=href data-keys=keys aria-current=here.then_some("page")>
                <Icon name=icon/>
                <span>{name}</span>
            </a>
        </li>
    }
    .erase()
}
