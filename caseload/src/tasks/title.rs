//! What a task is called.

use queue::Task;

use crate::{import::spec::ImportSpec, submit::spec::Spec};

pub(crate) fn title(task: &Task) -> String {
    match (Spec::of(task), ImportSpec::of(task)) {
        (Some(spec), _) => spec.action.title(),
        (None, Some(import)) => format!("Import {}", import.file),
        (None, None) => match task.execution_component_name.as_str() {
            queue::self_test::KIND => "Self-test".to_owned(),
            kind => format!("Task of a newer version ({kind})"),
        },
    }
}
