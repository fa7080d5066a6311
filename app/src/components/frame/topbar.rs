//! The bar at the top: the way home, whether the page is live, and the account.

use std::time::Duration;

use leptos::prelude::*;
use model::Me;

use crate::{
    components::{
        icon::Icon,
        type_erasure::Erase,
        values::time::{now, time_of_day},
    },
    live::{self, Live},
};

/// The top bar; `live` says whether the page follows what happens, and `help` where the help for it is.
pub fn topbar(me: Option<&Me>, live: bool, bell: Option<AnyView>, help: Option<String>, go: String) -> AnyView {
    let help = help.map(|href| {
        view! {
            <a class="button quiet small page-help" href=href>
                <Icon name="help"/>
                <span class="hidden">"Help with this page"</span>
            </a>
        }
    });
    view! {
        <header class="topbar">
            <button type="button" class="button quiet rail-open" popovertarget="rail">
                <Icon name="menu"/>
                <span class="hidden">"Menu"</span>
            </button>
            <a class="brand" href="/people"><Brand/>"Docket"</a>
            <div class="end">{live.then(|| view! { <LiveBadge/> })}</div>
            {me.map(|_| go_to(go))}
            {bell}
            {me.and(help)}
            {me.map(account_menu)}
        </header>
    }
    .erase()
}

/// The way to whatever one can name. With scripts its keys open it over the page.
fn go_to(go: String) -> AnyView {
    view! {
        <a class="button quiet small goto" href=go data-go>
            <Icon name="search"/>
            <span class="wide-only">"Go to"</span>
            <span class="hidden">" anything by its name"</span>
            <kbd class="wide-only scripted" aria-hidden="true">"Ctrl K"</kbd>
        </a>
    }
    .erase()
}

/// The mark beside the name.
#[component]
pub fn Brand() -> impl IntoView {
    view! {
        <svg viewBox="0 0 24 24" aria-hidden="true">
            <path
                class="ticket"
                d="M4.5 2h15A2.5 2.5 0 0 1 22 4.5V9.5a2.5 2.5 0 0 0 0 5v5a2.5 2.5 0 0 1-2.5 2.5h-15A2.5 2.5 0 0 1 2 19.5v-5a2.5 2.5 0 0 0 0-5V4.5A2.5 2.5 0 0 1 4.5 2z"
            ></path>
            <path class="rule" d="M8 8h8M8 12h8M8 16l1.5 1.5L12.5 14.75"></path>
        </svg>
    }
}

fn account_menu(me: &Me) -> AnyView {
    view! {
        <details class="menu">
            <summary class="button quiet small">
                <span class="avatar" aria-hidden="true">{me.initials()}</span>
                <span class="wide-only">{me.name.clone()}</span>
                <span class="hidden">", your account"</span>
                <span class="wide-only"><Icon name="down"/></span>
            </summary>
            <div class="panel">
                <p>{format!("{}, {}", me.name, me.role.label().to_ascii_lowercase())}</p>
                <a href="/settings">"Settings"</a>
                <button form="sign-out">"Sign out"</button>
            </div>
        </details>
        <form id="sign-out" method="post" action="/logout"></form>
    }
    .erase()
}

/// How often it is looked whether a lost connection has been so for too long.
const LOOK: Duration = Duration::from_secs(5);

/// Live, Paused, Reconnecting or Stale, with what one can do about it.
#[island]
fn LiveBadge() -> impl IntoView {
    let live = Live::of_page();
    let (link, paused, held) = (RwSignal::from(live.link), RwSignal::from(live.paused), RwSignal::from(live.held));
    let clock = RwSignal::new(None);
    Effect::new(move |_| {
        clock.set(Some(now()));
        let timer = set_interval_with_handle(move || clock.set(Some(now())), LOOK);
        on_cleanup(move || {
            if let Ok(timer) = timer {
                timer.clear();
            }
        });
    });
    let badge = Memo::new(move |_| {
        live::badge(link.get(), paused.get(), held.get(), clock.get().unwrap_or_default(), time_of_day)
    });
    let why = move || match (paused.get(), held.get()) {
        (_, 1..) => "Updates are paused while you have a selection.",
        (true, _) => "Updates are paused until you choose “Go live”.",
        _ => "The page updates automatically while this says Live.",
    };
    view! {
        <details class="menu live" data-live=move || badge.get().state>
            <summary class="button quiet small">
                <span class="hidden">"Updates: "</span>
                <span>
                    {move || badge.get().label}
                    <span class="wide-only">{move || badge.get().more}</span>
                </span>
                <Icon name="down"/>
            </summary>
            <div class="panel">
                {move || clock.get().map(|_| view! {
                    <button type="button" on:click=move |_| paused.update(|paused| *paused = !*paused)>
                        {move || if paused.get() { "Go live" } else { "Pause updates" }}
                    </button>
                })}
                <a href="" rel="external">"Refresh now"</a>
                <p>{why}</p>
            </div>
        </details>
    }
}
