//! The rail: the places one can go to. On small screens it is a sheet, by the `popover` attribute alone.

use leptos::prelude::*;
use model::{Me, Role, grouped};

use super::help;
use crate::{
    account::Account,
    answer::{Answer, read},
    components::{icon::Icon, loaded::Loaded, type_erasure::Erase},
    url,
};

/// The rail.
#[component]
pub fn Rail() -> impl IntoView {
    let path = url::own_path();
    let here = move |place: &'static str| move || path.with(|path| path.starts_with(place)).then_some("page");
    let running = |answer: Answer| match read::<u64>(answer) {
        Ok(n @ 1..) => view! { <span class="count">{format!("{} running", grouped(n))}</span> }.erase(),
        _ => ().erase(),
    };
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
                        <a href="/people" data-keys="g p" aria-current=here("/people")><Icon name="people"/><span>"People"</span></a>
                    </li>
                    <li>
                        <a href="/tasks" data-keys="g t" aria-current=here("/tasks")>
                            <Icon name="tasks"/>
                            <span>"My tasks"</span>
                            <Loaded from=Account::expect().running show=running/>
                        </a>
                    </li>
                </ul>
            </div>
            <Loaded from=Account::expect().me show=administration/>
            <ul aria-label="You">
                <li><a href="/settings" aria-current=here("/settings")><Icon name="settings"/><span>"Settings"</span></a></li>
                <li>
                    <button type="button" class="place" popovertarget=help::ID data-keys="?">
                        <Icon name="help"/>
                        <span>"Help and shortcuts"</span>
                    </button>
                </li>
            </ul>
        </nav>
    }
    .erase()
}

/// What administrators have beside.
fn administration(me: Answer) -> AnyView {
    match read::<Me>(me) {
        Ok(me) if me.role == Role::Administrator => {
            let places = PLACES.map(place).into_iter().collect_view();
            view! {
                <div>
                    <h2 id="nav-admin">"Administration"</h2>
                    <ul aria-labelledby="nav-admin">{places}</ul>
                </div>
            }
            .erase()
        }
        _ => ().erase(),
    }
}

/// Where administrators go: address, icon and name.
const PLACES: [(&str, &str, &str); 10] = [
    ("/admin", "gauge", "Queue"),
    ("/admin/tasks", "tasks", "All tasks"),
    ("/admin/failures", "failures", "Failures"),
    ("/admin/processes", "process", "Processes"),
    ("/admin/locks", "lock", "Locks"),
    ("/admin/schedules", "schedule", "Schedules"),
    ("/admin/users", "user", "Users"),
    ("/admin/audit", "audit", "Audit trail"),
    ("/admin/import", "import", "Import"),
    ("/admin/settings", "settings", "Settings in effect"),
];

fn place((href, icon, name): (&'static str, &'static str, &'static str)) -> AnyView {
    let path = url::own_path();
    // The overview is at the beginning of every other address.
    let here = move || path.with(|path| if href == "/admin" { path == href } else { path.starts_with(href) });
    let keys = (href == "/admin").then_some("g a");
    view! {
        <li>
            <a href=href data-keys=keys aria-current=move || here().then_some("page")>
                <Icon name=icon/>
                <span>{name}</span>
            </a>
        </li>
    }
    .erase()
}
