//! The page of a file: its buttons, and what is chosen of its columns.

use std::collections::BTreeMap;

use caseload::{Actor, Caseload, Result};
use model::{Problem, TaskId};

use crate::{
    pages::import::{
        lines::{SHOW, TURN},
        prepared::GONE_ON,
    },
    url,
};

/// Where a file is chosen; the page of a file is below.
pub const PAGE: &str = "/admin/import";

/// Which lines a button leads to, as the address of the page says it; none if it leads elsewhere.
fn shown(button: &str) -> Vec<(&'static str, &str)> {
    if let Some(turned) = button.strip_prefix(TURN) {
        return vec![("turn", turned)];
    }
    let Some(what) = button.strip_prefix(SHOW) else { return Vec::new() };
    match what.split_once('-') {
        Some((what, turned)) => vec![("show", what), ("turn", turned)],
        None => vec![("show", what)],
    }
}

/// What the form has in its fields.
pub struct ChosenColumns(pub BTreeMap<String, String>);

impl ChosenColumns {
    /// Does what the button says, and gives where that leads.
    pub async fn press(&self, caseload: &Caseload, actor: &Actor, id: &str, button: &str) -> Result<String> {
        let imports = caseload.imports();
        imports.may_import(actor)?;
        let id: TaskId = id.parse().map_err(|_| Problem::not_found("import"))?;
        let pairs: Vec<_> = self.0.clone().into_iter().collect();
        let page = format!("{PAGE}/{id}");
        let saved = |field| match self.given(field) {
            "" => Ok(None),
            id => id.parse().map(Some).map_err(|_| Problem::not_found("saved matching")),
        };
        match button {
            "import" => {
                let name = (!self.given("save").is_empty()).then(|| self.given("matchingName"));
                let task = imports.import_prepared(actor, id, &pairs, name).await?;
                return Ok(format!("/tasks/{}", task.id));
            }
            "cancel" => {
                imports.discard(actor, id).await?;
                return Ok(PAGE.to_owned());
            }
            "use" => imports.start_from(actor, id, saved("start")?).await?,
            "forget" => {
                imports.choose(actor, id, &pairs).await?;
                if let Some(matching) = saved("begunWith")? {
                    imports.forget_matching(actor, matching).await?;
                }
                return Ok(url::with(&page, &self.to_keep()));
            }
            _ => {
                let shown = shown(button);
                let only_looks = !shown.is_empty();
                match only_looks {
                    true => imports.look(actor, id, &pairs).await?,
                    false => imports.choose(actor, id, &pairs).await?,
                }
                // Each choice is sent by itself, and nobody has gone on by that.
                let gone_on = std::iter::once((GONE_ON, "yes")).filter(|_| button == "count");
                let pairs: Vec<_> = gone_on.chain(self.to_keep()).chain(shown).collect();
                let place = if only_looks { "#h-first" } else { "" };
                return Ok(url::with(&page, &pairs) + place);
            }
        }
        Ok(page)
    }

    /// What was typed for keeping the matching, which no press but the last one is about.
    pub fn to_keep(&self) -> Vec<(&'static str, &str)> {
        let typed = ["matchingName", "save"].map(|name| (name, self.given(name)));
        typed.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    fn given(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_leads_to_lines_and_one_that_shows_a_sort_to_those_behind_its_first() {
        assert_eq!(shown("turn-2"), [("turn", "2")]);
        assert_eq!(shown("show-new"), [("show", "new")]);
        assert_eq!(shown("show-new-3"), [("show", "new"), ("turn", "3")]);
        assert!(shown("count").is_empty());
    }
}
