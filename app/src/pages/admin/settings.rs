//! The settings in effect: each with its value and where that came from. Secrets are not shown.

use leptos::prelude::*;

use crate::components::{
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

/// The page.
pub fn view(settings: Vec<InEffect>) -> AnyView {
    let lines = settings
        .into_iter()
        .map(|setting| {
            let value = if setting.value.is_empty() { "not set".to_owned() } else { setting.value };
            let is_default = setting.source == "default";
            view! {
                <tr data-key=setting.key.clone()>
                    <th scope="row" class="id">{setting.key.clone()}</th>
                    <td class="first id">{value}</td>
                    <td class=if is_default { "brief soft" } else { "brief" }>{setting.source}</td>
                </tr>
            }
        })
        .collect_view();
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
        {table("Settings", &[Text("Setting"), Text("Value"), Text("From")], lines)}
    }
    .erase()
}
