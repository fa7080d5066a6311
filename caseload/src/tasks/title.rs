//! What a task is called.

use model::TaskKind;
use queue::Task;

use crate::{import::spec::ImportSpec, submit::spec::Spec};

pub(crate) fn title(task: &Task) -> String {
    match (Spec::of(task), ImportSpec::of(task)) {
        (Some(spec), _) => spec.action.title(),
        (None, Some(import)) => format!("Import {}", import.file),
        (None, None) => match task.execution_component_name.parse::<TaskKind>() {
            Ok(TaskKind::SelfTest) => TaskKind::SelfTest.label().to_owned(),
            _ => format!("Task of a newer version ({})", task.execution_component_name),
        },
    }
}
