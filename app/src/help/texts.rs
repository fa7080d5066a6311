//! The page of each topic.

use super::{acting, administration, article::Article, keys, people, sharing_out, tasks, topic::Topic};

impl Topic {
    /// What its page says.
    pub const fn article(self) -> &'static Article {
        match self {
            Topic::FindPeople => &people::FIND,
            Topic::SelectPeople => &people::SELECT,
            Topic::SaveView => &people::SAVE_VIEW,
            Topic::OnePerson => &people::ONE_PERSON,
            Topic::ChangeStatus => &acting::CHANGE_STATUS,
            Topic::Email => &acting::EMAIL,
            Topic::Export => &acting::EXPORT,
            Topic::Watch => &sharing_out::WATCH,
            Topic::ReassignCoach => &sharing_out::REASSIGN,
            Topic::ReassignByList => &sharing_out::REASSIGN_BY_LIST,
            Topic::EarlyAlert => &sharing_out::EARLY_ALERT,
            Topic::FollowTask => &tasks::FOLLOW,
            Topic::UndoTask => &tasks::UNDO,
            Topic::Results => &tasks::RESULTS,
            Topic::States => &tasks::STATES,
            Topic::Shortcuts => &keys::SHORTCUTS,
            Topic::Settings => &keys::SETTINGS,
            Topic::Queue => &administration::QUEUE,
            Topic::RetryOrClose => &administration::RETRY_OR_CLOSE,
            Topic::PauseKind => &administration::PAUSE_KIND,
            Topic::Import => &administration::IMPORT,
            Topic::Users => &administration::USERS,
            Topic::Erase => &administration::ERASE,
            Topic::AuditTrail => &administration::AUDIT_TRAIL,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::help::topic::HelpGroup;

    #[test]
    fn every_topic_has_steps_and_a_way_on() {
        for topic in Topic::ALL {
            let article = topic.article();
            assert!(!article.lead.is_empty() && !article.steps.is_empty(), "{topic:?}");
            assert!(!article.related.is_empty() && !article.related.contains(&topic), "{topic:?}");
        }
    }

    #[test]
    fn every_topic_is_found_at_its_own_address_and_in_one_group() {
        let slugs: BTreeSet<_> = Topic::ALL.iter().map(|topic| topic.slug()).collect();
        assert_eq!(slugs.len(), Topic::ALL.len());
        for topic in Topic::ALL {
            assert_eq!(topic.slug().parse(), Ok(topic));
        }
        let listed: Vec<_> = HelpGroup::ALL.into_iter().flat_map(HelpGroup::topics).collect();
        assert_eq!(listed, Topic::ALL);
        assert!("nonsense".parse::<Topic>().is_err());
    }

    #[test]
    fn the_parts_of_a_page_have_addresses_of_their_own() {
        for topic in Topic::ALL {
            let ids: BTreeSet<_> = topic.article().sections.iter().map(|section| section.id).collect();
            assert_eq!(ids.len(), topic.article().sections.len(), "{topic:?}");
        }
    }

    /// The pages of administrators are not for others, so that no page for others leads there.
    #[test]
    fn nobody_is_led_to_a_page_that_is_not_for_them() {
        for topic in Topic::ALL.into_iter().filter(|topic| topic.group() != HelpGroup::Administration) {
            let leads = topic.article().related.iter().all(|related| related.group() != HelpGroup::Administration);
            assert!(leads, "{topic:?}");
        }
    }
}
