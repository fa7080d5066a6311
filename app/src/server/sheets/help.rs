//! The pages of help. What a setting decides stands in them as it is set.

use caseload::{Actor, Caseload};
use model::{Problem, Role, length::within};

use super::rendered::rendered;
use crate::{
    components::{
        frame::PageContent,
        values::{numbers::grouped, time::span},
    },
    help::{
        figures::{HelpFigures, HelpSettings},
        search::LONGEST,
        topic::{HelpGroup, Topic},
    },
    pages::help,
    server::{
        self,
        asked::{Asked, Made},
    },
    url,
};

/// All of them, or those in which something is found.
pub async fn index(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, search, .. } = asked;
    let asked = url::value(search, "q").unwrap_or_default();
    server::answer(within::<LONGEST>(&asked).map_err(|too_long| too_long.of("q")))?;
    rendered("Help and shortcuts", help::index(&asked, is_administrator(actor), &figures(caseload)))
}

/// That of a topic. Those of administrators are for nobody else.
pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, named: slug, .. } = asked;
    let topic = slug
        .parse()
        .ok()
        .filter(|topic: &Topic| HelpGroup::shown(is_administrator(actor)).any(|group| group == topic.group()));
    let topic = server::answer(topic.ok_or_else(|| Problem::not_found("page")))?;
    let view = help::page(topic, is_administrator(actor), caseload.mail().sending(), &figures(caseload));
    Ok(PageContent::new(format!("{} · Help", topic.title()), view))
}

fn is_administrator(actor: &Actor) -> bool {
    actor.role == Role::Administrator
}

fn figures(caseload: &Caseload) -> HelpFigures {
    let (mail, queue) = (caseload.mail().settings(), caseload.queue().settings());
    let settings = HelpSettings {
        hold: mail.hold,
        mail_limit: mail.limit,
        retention: queue.retention,
        file_kept: caseload.exports_kept(),
        max_failures: queue.max_failures,
        views: caseload.limits().views,
    };
    HelpFigures::new(&settings, span, grouped)
}
