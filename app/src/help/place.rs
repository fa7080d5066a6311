//! Which topic is for the page at an address, so that every page leads to the help of its job.

use model::TaskKind;

use super::topic::Topic;

/// That of the page at this path; pages of help have none.
pub fn topic_at(path: &str) -> Option<Topic> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    Some(match parts[..] {
        ["people", "ids"] => Topic::SelectPeople,
        ["people", "reassign"] => Topic::ReassignByList,
        ["people", _, "erase"] => Topic::Erase,
        ["people", _, ..] => Topic::OnePerson,
        ["people"] => Topic::FindPeople,
        ["actions", "new", kind] => of_kind(kind),
        ["tasks", _, ..] => Topic::Results,
        ["tasks"] => Topic::FollowTask,
        ["settings", ..] => Topic::Settings,
        ["admin", "import", ..] => Topic::Import,
        ["admin", "users", ..] => Topic::Users,
        ["admin", "audit", ..] => Topic::AuditTrail,
        ["admin", "kinds", ..] => Topic::PauseKind,
        ["admin", "tasks" | "failures", ..] => Topic::RetryOrClose,
        ["admin", ..] => Topic::Queue,
        ["help", ..] => return None,
        ["go"] => Topic::Shortcuts,
        _ => return None,
    })
}

/// That of composing a kind of action.
fn of_kind(kind: &str) -> Topic {
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
    fn a_page_leads_to_the_help_of_its_job() {
        assert_eq!(topic_at("/people"), Some(Topic::FindPeople));
        assert_eq!(topic_at("/people/7"), Some(Topic::OnePerson));
        assert_eq!(topic_at("/people/7/erase"), Some(Topic::Erase));
        assert_eq!(topic_at("/tasks/7"), Some(Topic::Results));
        assert_eq!(topic_at("/admin/kinds/email"), Some(Topic::PauseKind));
        assert_eq!(topic_at("/admin/schedules/prune"), Some(Topic::Queue));
        assert_eq!(topic_at("/help/email"), None);
    }

    #[test]
    fn every_kind_that_is_composed_has_help_of_its_own() {
        let topics: Vec<_> = TaskKind::ALL.iter().map(|kind| topic_at(&format!("/actions/new/{kind}"))).collect();
        assert!(topics.iter().all(Option::is_some));
        let others = topics.iter().filter(|topic| **topic == Some(Topic::SelectPeople)).count();
        assert_eq!(others, 2, "an import and a self-test are not composed");
    }
}
