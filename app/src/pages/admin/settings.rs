//! The settings in effect: each with its value and where that came from. Secrets are not shown.

use leptos::prelude::*;

use crate::components::{
    contents::contents,
    table::{Head::Text, table},
    type_erasure::Erase,
};

/// A setting in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InEffect {
    pub key: String,
    /// As text; hidden where it is a secret.
    pub value: String,
    /// `docket.toml`, a variable of the environment, or the default.
    pub source: String,
}

impl InEffect {
    fn is_default(&self) -> bool {
        self.source == "default"
    }
}

/// The page: what was set on this server first, and then all of it, section by section as the file has them.
pub fn view(settings: Vec<InEffect>) -> AnyView {
    let mut sections: Vec<(String, Vec<InEffect>)> = Vec::new();
    let changed: Vec<_> = settings.iter().filter(|setting| !setting.is_default()).cloned().collect();
    for setting in settings {
        let name = setting.key.split_once('.').map_or("general", |(section, _)| section).to_owned();
        match sections.iter_mut().find(|(known, _)| *known == name) {
            Some((_, its)) => its.push(setting),
            None => sections.push((name, vec![setting])),
        }
    }
    let places = sections.iter().map(|(name, _)| (format!("h-{name}"), name.clone()));
    let places = std::iter::once(("h-set".to_owned(), "Set on this server".to_owned())).chain(places);
    let links = contents(places);
    let set = match changed.is_empty() {
        true => view! { <p class="soft">"Nothing: all settings are as they come."</p> }.erase(),
        false => table_of("Settings that differ from the default", changed),
    };
    let sections = sections.into_iter().map(|(name, settings)| {
        let (id, caption) = (format!("h-{name}"), format!("Settings of {name}"));
        let named = id.clone();
        view! {
            <section aria-labelledby=named>
                <div class="section"><h2 id=id>{name}</h2></div>
                {table_of(caption, settings)}
            </section>
        }
    });
    view! {
        <header class="head">
            <div>
                <h1>"Settings in effect"</h1>
                <p class="facts"><span>"of this process"</span><span>"secrets are hidden"</span></p>
            </div>
        </header>
        <p class="soft">
            "Docket reads them when it starts, from "<code>"docket.toml"</code>" and from the environment variables "<code>"DOCKET__SECTION__KEY"</code>
            ". To change a setting, edit it there and restart Docket."
        </p>
        <div class="with-contents">
            {links}
            <div class="stack even" data-density="compact">
                <section aria-labelledby="h-set">
                    <div class="section"><h2 id="h-set">"Set on this server"</h2></div>
                    {set}
                </section>
                {sections.collect_view()}
            </div>
        </div>
    }
    .erase()
}

fn table_of(caption: impl Into<String>, settings: Vec<InEffect>) -> AnyView {
    let lines = settings
        .into_iter()
        .map(|setting| {
            let from = if setting.is_default() { "brief soft" } else { "brief" };
            let value = if setting.value.is_empty() { "not set".to_owned() } else { setting.value };
            view! {
                <tr data-key=setting.key.clone()>
                    <th scope="row" class="id">{setting.key.clone()}</th>
                    <td class="brief id">{value}</td>
                    <td class=from>{setting.source}</td>
                </tr>
            }
        })
        .collect_view();
    table(caption, &[Text("Setting"), Text("Value"), Text("From")], lines)
}
