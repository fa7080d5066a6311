//! The settings in effect: what each is for, its value, and where that came from. Secrets are not shown.

mod value;

use leptos::prelude::*;

use crate::components::{
    blank::Blank,
    contents::contents,
    search_field::SearchField,
    table::{Head::Text, table},
    type_erasure::Erase,
    values::{badge::Badge, numbers::counted},
};

/// Where the page is.
const PAGE: &str = "/admin/settings";
/// The longest text that is searched for, in bytes.
pub const LONGEST: usize = 200;

/// A part of the settings, as the manual has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsPart {
    pub title: String,
    pub settings: Vec<InEffect>,
}

/// A setting in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InEffect {
    pub key: String,
    /// What it is for; names of code are between backticks.
    pub about: String,
    /// As text; hidden where it is a secret.
    pub value: String,
    /// Nothing: it is as it comes.
    pub set_by: Option<SetBy>,
    /// What it would be if nobody had set it.
    pub usual: String,
}

/// Who has set a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetBy {
    /// A file, by its path.
    File(String),
    /// A variable of the environment, by its name.
    Environment(String),
}

impl InEffect {
    /// The variable of the environment that sets it.
    fn variable(&self) -> String {
        format!("DOCKET__{}", self.key.replace('.', "__").replace('-', "_").to_uppercase())
    }

    /// Whether all these words are somewhere in what the page says of it.
    fn has(&self, title: &str, words: &[String]) -> bool {
        let value = value::in_words(&self.key, &self.value).unwrap_or_default();
        let said = [title, &self.key, &self.variable(), &self.about, &self.value, &value].join(" ").to_lowercase();
        words.iter().all(|word| said.contains(word))
    }
}

/// The page: what was set on this server first, and then all of it, part by part; or those in which something is found.
pub fn view(parts: Vec<SettingsPart>, asked: &str) -> AnyView {
    let words: Vec<String> = asked.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let all = parts.iter().map(|part| part.settings.len()).sum::<usize>() as u64;
    let changed: Vec<InEffect> =
        parts.iter().flat_map(|part| &part.settings).filter(|setting| setting.set_by.is_some()).cloned().collect();
    let found: Vec<SettingsPart> = parts
        .into_iter()
        .map(|SettingsPart { title, mut settings }| {
            settings.retain(|setting| setting.has(&title, &words));
            SettingsPart { title, settings }
        })
        .filter(|part| !part.settings.is_empty())
        .collect();
    let searched = !words.is_empty();
    let number = found.iter().map(|part| part.settings.len()).sum::<usize>() as u64;
    let count = match searched {
        true => format!("{number} of {}", counted(all, "setting", "settings")),
        false => format!("{}, {} set on this server", counted(all, "setting", "settings"), changed.len()),
    };
    let places = found.iter().map(|part| (id_of(&part.title), part.title.clone()));
    let first = (!searched).then(|| ("h-set".to_owned(), "Set on this server".to_owned()));
    let links = contents(first.into_iter().chain(places));
    let set = (!searched).then(|| {
        let set = match changed.is_empty() {
            true => view! { <p class="soft">"None: all settings are as they come."</p> }.erase(),
            false => table_of("Settings that are set on this server", changed, false),
        };
        view! {
            <section aria-labelledby="h-set" data-first>
                <div class="section"><h2 id="h-set">"Set on this server"</h2></div>
                {set}
            </section>
        }
    });
    let none = view! {
        <div data-none hidden=!found.is_empty()>
            <Blank
                icon="search"
                title="No setting matches"
                text="Search for what it is about, such as “hold” or “sign”, or for a part of its name."
            >
                <a class="button" href=PAGE>"Show all settings"</a>
            </Blank>
        </div>
    };
    let sections = found.into_iter().map(|SettingsPart { title, settings }| {
        let id = id_of(&title);
        let (named, caption) = (id.clone(), format!("Settings: {title}"));
        view! {
            <section aria-labelledby=named>
                <div class="section"><h2 id=id>{title}</h2></div>
                {table_of(caption, settings, true)}
            </section>
        }
    });
    view! {
        <header class="head">
            <div>
                <h1>"Settings in effect"</h1>
                <p class="facts"><span>{count}</span><span>"secrets are hidden"</span></p>
            </div>
        </header>
        <p class="soft measure">
            "To change one, write it in "<code>"docket.toml"</code>" or set the environment variable beside its name. Then restart Docket, which reads them when it starts."
        </p>
        <form class="filters" role="search" method="get" action=PAGE aria-label="Settings">
            <SearchField label="Search settings" placeholder="Search by purpose or name" value=asked longest=LONGEST by_key=true narrows="settings"/>
            <button class="button">"Search"</button>
            {searched.then(|| view! { <a class="button quiet" href=PAGE>"Show all settings"</a> })}
        </form>
        <div class="with-contents">
            {links}
            <div class="stack even explained" id="settings">
                {set}
                {sections.collect_view()}
                {none}
            </div>
        </div>
    }
    .erase()
}

fn id_of(title: &str) -> String {
    format!("h-{}", title.to_lowercase().replace(' ', "-"))
}

/// The settings; where they are found by an address, each by its key.
fn table_of(caption: impl Into<String>, settings: Vec<InEffect>, found: bool) -> AnyView {
    let lines = settings.into_iter().map(|setting| line(setting, found)).collect_view();
    table(caption, &[Text("What it is for"), Text("Value"), Text("Set by")], lines)
}

fn line(setting: InEffect, found: bool) -> AnyView {
    let variable = setting.variable();
    let value = match value::in_words(&setting.key, &setting.value) {
        Some(words) => view! { <span title=setting.value.clone()>{words}</span> }.erase(),
        None => view! { <span class="id">{setting.value.clone()}</span> }.erase(),
    };
    let usual =
        setting.set_by.as_ref().filter(|_| !setting.usual.is_empty() && setting.usual != setting.value).map(|_| {
            let usual = value::in_words(&setting.key, &setting.usual).unwrap_or_else(|| setting.usual.clone());
            view! { <span class="sub">{format!("Default: {usual}")}</span> }
        });
    // Among all of them it is marked, since it stands at the top of the page as well.
    let source = |name: &'static str| match found {
        true => {
            view! { <Badge icon="done" tone="info" text="Set"/><span class="sub">{name}</span> }.into_view().erase()
        }
        false => name.erase(),
    };
    let (class, from) = match &setting.set_by {
        None => ("brief soft", "Default".erase()),
        Some(SetBy::File(path)) => {
            ("brief", view! { {source("File")}" "<span class="sub id">{path.clone()}</span> }.into_view().erase())
        }
        Some(SetBy::Environment(_)) => ("brief", source("Environment")),
    };
    let key = setting.key;
    let id = found.then(|| key.clone());
    view! {
        <tr data-key=key.clone() id=id>
            <th scope="row">
                {told(&setting.about)}
                <span class="sub id">{key.clone()}" · "{variable}</span>
            </th>
            <td class="first">{value}{usual}</td>
            <td class=class>{from}</td>
        </tr>
    }
    .erase()
}

/// A text in which names of code are between backticks.
fn told(text: &str) -> AnyView {
    let parts = text.split('`').enumerate().map(|(place, part)| match place % 2 {
        0 => part.to_owned().erase(),
        _ => view! { <code>{part.to_owned()}</code> }.erase(),
    });
    parts.collect_view().erase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_found_by_what_it_is_for_and_by_any_of_its_names() {
        let hold = InEffect {
            key: "mail.hold".to_owned(),
            about: "How long an email is held before it is sent.".to_owned(),
            value: "60s".to_owned(),
            set_by: None,
            usual: "60s".to_owned(),
        };
        let found = |asked: &str| {
            let words: Vec<String> = asked.split_whitespace().map(str::to_owned).collect();
            hold.has("Mail", &words)
        };
        for asked in ["held email", "mail.hold", "docket__mail__hold", "60s", "1 min", "mail how long", ""] {
            assert!(found(asked), "{asked}");
        }
        assert!(!found("slots"));
    }
}
