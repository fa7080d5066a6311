//! The file's format, and the columns that are in it.

use leptos::prelude::*;
use model::{
    Action, Problem,
    action::{ColumnGroup, Export, ExportFormat},
};

use super::form::{Fields, FormContext};
use crate::components::values::numbers::people;
use crate::{components::type_erasure::Erase, help::hint::Hint, pages::new_action::draft::Draft};

pub const FIELDS: Fields = Fields {
    title: "Export",
    hint: Some(Hint::Export),
    names: &["format", "sort", "chosen", "CONTACT", "PROGRAM", "STUDIES", "COACH", "PERSONAL", "EXTRA"],
    is_kept: false,
    tidy: |_| (),
    action,
    controls,
    button: |count| format!("Export {}", people(count)),
};

/// Boxes that are not ticked send nothing, so the form says that it was filled in.
fn action(draft: &Draft) -> Result<Action, Problem> {
    let format = if draft.choice("format").is_empty() { "CSV" } else { draft.choice("format") };
    let ticked = ColumnGroup::ALL.iter().map(|group| group.name()).filter(|name| !draft.choice(name).is_empty());
    let columns = (!draft.choice("chosen").is_empty()).then_some(ticked);
    Action::export(format, columns, draft.choice("sort").parse().ok())
}

/// What was chosen, as fields of the form.
pub fn pairs(export: &Export) -> Vec<(&'static str, String)> {
    let mut pairs =
        vec![("format", export.format.to_string()), ("sort", export.sort.to_string()), ("chosen", "yes".to_owned())];
    pairs.extend(export.columns.iter().map(|group| (group.name(), "yes".to_owned())));
    pairs
}

fn controls(draft: &Draft, around: &FormContext) -> AnyView {
    let (format, columns) = match action(draft) {
        Ok(Action::Export(Export { format, columns, .. })) => (format, columns),
        _ => (ExportFormat::Csv, Vec::new()),
    };
    let hint = |format| match format {
        ExportFormat::Csv => "Opens in any program; formulas become plain text",
        ExportFormat::Xlsx => "Opens in Excel and LibreOffice, with dates as dates",
    };
    let formats = ExportFormat::ALL
        .iter()
        .map(|option| {
            view! {
                <label class="choice">
                    <input type="radio" name="format" value=option.name() checked=format == *option/>
                    <span>{option.label()}<small>{hint(*option)}</small></span>
                </label>
            }
        })
        .collect_view();
    let groups = ColumnGroup::ALL
        .iter()
        .map(|group| {
            view! {
                <label class="choice">
                    <input type="checkbox" name=group.name() value="yes" checked=columns.contains(group)/>
                    <span>{group.label()}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <input type="hidden" name="chosen" value="yes"/>
        <input type="hidden" name="sort" value=draft.choice("sort").to_owned()/>
        <fieldset class="field" id="format" aria-describedby="format-problem">
            <legend>"Format"</legend>
            <div class="choices">{formats}</div>
            <span class="problem" id="format-problem">{around.wrong("format")}</span>
        </fieldset>
        <fieldset class="field" id="columns" aria-describedby="columns-hint">
            <legend>"Columns in addition to school ID and name"</legend>
            <div class="choices">{groups}</div>
            <span class="hint" id="columns-hint">
                {format!("Only you can download the file, for {}. The audit trail keeps what was exported, by whom and when.", around.file_kept)}
            </span>
        </fieldset>
    }
    .erase()
}
