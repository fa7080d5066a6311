//! Which topic is for composing an action, so that its page leads to the help of that job.

use model::TaskKind;

use super::topic::Topic;

/// That of composing a kind of action.
pub fn of_kind(kind: &str) -> Topic {
    match kind.parse() {
        Ok(TaskKind::ProgramStatus) => Topic::ChangeStatus,
        Ok(TaskKind::Email) => Topic::Email,
        Ok(TaskKind::Watch) => Topic::Watch,
        Ok(TaskKind::Export) => Topic::Export,
        Ok(TaskKind::EarlyAlert) => Topic::EarlyAlert,
        Ok(TaskKind::ReassignCoach) => Topic::ReassignCoach,
        Ok(TaskKind::ReassignByList) => Topic::ReassignByList,
        Ok(TaskKind::Undo) => Topic::UndoTask,
        Ok(TaskKind::Import | TaskKind::SelfTest) | Err(_) => Topic::SelectPeople,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_that_is_composed_has_help_of_its_own() {
        let topics = TaskKind::ALL.iter().map(|kind| of_kind(kind.name()));
        let others = topics.filter(|topic| *topic == Topic::SelectPeople).count();
        assert_eq!(others, 2, "an import and a self-test are not composed");
    }
}
