//! The pages of administrators: what each needs, and at which address it is. Nobody else gets any of them.

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::{
    Problem, Role, TaskId, TaskRow,
    admin::{AdminTaskQuery, AuditQuery, BulkPreview, BulkVerb, TaskOrder, Window},
    enum_words::Reader,
    filter,
};

use super::rendered::rendered;
use crate::{
    components::frame::{PageContent, Pulse},
    pages::admin::{
        act, audit, failures, locks, overview, pause_kind, processes, schedules, settings, task,
        tasks::{
            self, check,
            columns::{self, ListColumn},
        },
        users,
    },
    pages::done,
    refusal::Refusal,
    server::{self, FreshPassword, SettingsInEffect, shown},
    url,
};

/// What has just been done stands in the address, and is no filter.
const SAID: [&str; 3] = ["done", "n", "left"];

/// A form sends the instant that it keeps and after that the day that was chosen: of these the last one counts.
const DAYS: [&str; 2] = ["since", "until"];

/// The page at an address below `/admin`.
pub async fn of(caseload: &Caseload, actor: &Actor, parts: &[&str], search: &str) -> Result<PageContent, Refusal> {
    if actor.role != Role::Administrator {
        return server::answer(Err(Problem::forbidden("These pages are for administrators.")));
    }
    let door = LiveSheet { caseload, actor, search };
    match *parts {
        [] => door.overview().await,
        ["tasks"] => door.tasks().await,
        ["tasks", "check"] => door.check().await,
        ["tasks", id] => door.task(id).await,
        ["failures"] => door.failures().await,
        ["processes"] => door.processes().await,
        ["kinds", kind] => door.kind(kind).await,
        ["locks"] => door.locks().await,
        ["locks", "release"] => door.release().await,
        ["schedules"] => door.schedules().await,
        ["schedules", name] => door.schedule(name).await,
        ["audit"] => door.audit().await,
        ["users"] => door.users().await,
        ["users", "new"] => {
            still("Add a user", users::new(server::asks_password(), server::typed_username(), url::refusal(search)))
        }
        ["users", id] => door.user(id).await,
        ["settings"] => door.settings(),
        _ => server::answer(Err(Problem::not_found("page"))),
    }
}

/// A page that stays as it is.
fn still(title: impl Into<String>, view: AnyView) -> Result<PageContent, Refusal> {
    rendered(title, view)
}

/// A page that is rendered again whenever something of these topics happens.
fn moving(title: impl Into<String>, view: AnyView, topics: &str, again: &str) -> Result<PageContent, Refusal> {
    let pulse = Pulse { again: again.trim_start_matches('?').to_owned(), wait: LOOK, is_fresh: false };
    Ok(PageContent { pulse: Some(pulse), topics: topics.to_owned(), ..rendered(title, view)? })
}

/// The least time between two looks at a page of administrators, in milliseconds.
const LOOK: u32 = 1_000;

struct LiveSheet<'a> {
    caseload: &'a Caseload,
    actor: &'a Actor,
    search: &'a str,
}

impl LiveSheet<'_> {
    async fn overview(&self) -> Result<PageContent, Refusal> {
        let window = self.window(Window::Hour)?;
        let health = server::answer(self.caseload.admin().health(self.actor).await)?;
        let content = overview::OverviewContent {
            health: (*health).clone(),
            window,
            history: server::answer(self.caseload.admin().history(self.actor, window, None).await)?,
            running: server::answer(self.caseload.admin().running(self.actor, overview::RUNNING).await)?,
            processes: server::answer(self.caseload.admin().processes(self.actor).await)?,
        };
        let title = match health.troubles() {
            0 => "Queue".to_owned(),
            n => format!("Queue ({n})"),
        };
        moving(title, overview::view(content), "queue", self.search)
    }

    async fn tasks(&self) -> Result<PageContent, Refusal> {
        let pairs = self.pairs()?;
        // What was on the page when it was rendered first: it is rendered again, and what came since is counted.
        let (search, again) = shown::split::<TaskId>(self.search);
        // A form names each of them anew.
        let columns: Vec<&str> =
            pairs.iter().filter(|(key, _)| key == columns::KEY).map(|(_, value)| value.as_str()).collect();
        let columns = ListColumn::asked((!columns.is_empty()).then(|| columns.join(",")).as_deref());
        let asked = pairs.iter().filter(|(key, _)| key != shown::KEY && key != columns::KEY);
        let query =
            AdminTaskQuery::from_pairs(asked.map(|(key, value)| (key.as_str(), value.as_str())), Reader::Person);
        let query = server::answer(query)?;
        let groups = tasks::GROUPS.map(|(_, states)| states);
        let page = match &again {
            Some(ids) => self.caseload.admin().task_list_again(self.actor, &query, ids).await,
            None => self.caseload.admin().task_list(self.actor, &query).await,
        };
        let page = server::answer(page)?;
        let counts = server::answer(self.caseload.admin().task_counts(self.actor, &query, &groups).await)?;
        let owners = server::answer(self.caseload.admin().task_owners(self.actor).await)?;
        let mut newer = 0;
        // Of a list that begins with the oldest, the new ones are at its end.
        let begins = query.after.is_none() && query.order == TaskOrder::Newest;
        if let Some(newest) = again.as_ref().and_then(|ids| ids.first()).filter(|_| begins) {
            newer = server::answer(self.caseload.admin().newer_tasks(self.actor, &query, *newest).await)?;
        }
        let again = shown::with(&search, page.items.iter().map(|row| row.row.id.uuid()));
        let content = tasks::TasksContent { query, page, counts, owners, newer, columns };
        let view = view! { {act::refused(url::refusal(self.search).as_ref())}{done::notice(self.search)}{tasks::view(content)} };
        moving("Tasks", view.into_any(), "tasks", &again)
    }

    async fn check(&self) -> Result<PageContent, Refusal> {
        // Which page of which look it is narrows nothing.
        let (place, pairs): (Vec<_>, Vec<_>) =
            self.pairs()?.into_iter().partition(|(key, _)| [check::PREVIEW, url::AFTER].contains(&key.as_str()));
        let asked = value(&pairs, "do").unwrap_or_default();
        let all = asked.ends_with("-all");
        let verb: BulkVerb = server::answer(filter::parse("do", asked.trim_end_matches("-all"), Reader::Person))?;
        let (chosen, list): (Vec<_>, Vec<_>) =
            pairs.iter().filter(|(key, _)| key != "do").cloned().partition(|(key, _)| key == "only");
        let list: Vec<(String, String)> = list
            .into_iter()
            .map(|(key, value)| (if key == tasks::AMONG { "only".to_owned() } else { key }, value))
            .collect();
        // Whoever names tasks means these, whatever narrows the list around them.
        let query = if all { &list } else { &chosen }.iter().filter(|(key, _)| key != columns::KEY);
        let query =
            AdminTaskQuery::from_pairs(query.map(|(key, value)| (key.as_str(), value.as_str())), Reader::Person);
        let query = server::answer(query)?;
        if !all && query.only.is_none() {
            return still("Nothing is selected", check::nobody(verb, &url::query(&list)));
        }
        // Those that were chosen are shown afterwards; a filter by state would show nobody any more.
        let kept = |(key, _): &&(String, String)| match all {
            true => key != "state" && key != "ended",
            false => key == columns::KEY,
        };
        let mut then: Vec<_> = list.iter().filter(kept).chain(chosen.iter().filter(|_| !all)).cloned().collect();
        if all && verb == BulkVerb::Abandon {
            then.push(("state".to_owned(), "ABANDONED,CANCELLED".to_owned()));
        }
        let (preview, page, gone) = self.look(verb, &query, &place).await?;
        let way = check::Way {
            asked: url::query(&pairs),
            back: url::query(&list),
            then: url::query(&then),
            first: gone.is_some() || value(&place, url::AFTER).is_none(),
        };
        let content = check::CheckContent { query, preview, page, way };
        still(format!("{} tasks", verb.label()), check::view(content, url::refusal(self.search).or(gone)))
    }

    /// What a check shows: a page of what was looked at before, or what there is now, which is then kept. A look that is not kept
    /// any more is taken anew, and that is said.
    async fn look(
        &self,
        verb: BulkVerb,
        query: &AdminTaskQuery,
        place: &[(String, String)],
    ) -> Result<(BulkPreview, model::Page<TaskRow>, Option<Refusal>), Refusal> {
        let mut gone = None;
        if let Some(token) = value(place, check::PREVIEW) {
            let token = server::id(&token, "check")?;
            let kept = self.caseload.admin().bulk_again(self.actor, verb, query, token).await.map_err(Problem::from);
            match kept {
                Ok(preview) => {
                    let after = server::answer(url::after(self.search))?;
                    let page = self.caseload.admin().bulk_tasks(self.actor, verb, token, after.as_ref()).await;
                    return Ok((preview, server::answer(page)?, None));
                }
                Err(problem) if problem.message_for("previewToken").is_some() => gone = Some(Refusal(problem)),
                Err(problem) => return server::answer(Err(problem)),
            }
        }
        let preview = server::answer(self.caseload.admin().preview_bulk(self.actor, verb, query).await)?;
        let page = self.caseload.admin().bulk_tasks(self.actor, verb, preview.preview_token, None).await;
        Ok((preview, server::answer(page)?, gone))
    }

    async fn task(&self, id: &str) -> Result<PageContent, Refusal> {
        let id = server::id(id, "task")?;
        let found = server::answer(self.caseload.admin().task(self.actor, id).await)?;
        let trail = server::answer(self.caseload.audit().of_task(self.actor, id).await)?;
        let title = format!("{} · Queue", found.task.row.title);
        let (refusal, topics) = (url::refusal(self.search), format!("task:{id},queue"));
        let view = view! { {done::notice(self.search)}{task::view(found, trail, refusal)} };
        moving(title, view.into_any(), &topics, self.search)
    }

    async fn failures(&self) -> Result<PageContent, Refusal> {
        let window = self.window(Window::Day)?;
        let found = server::answer(self.caseload.admin().failures(self.actor, window).await)?;
        let chosen = url::value(self.search, "cause");
        moving("Failures", failures::view(found, window, chosen), "queue", self.search)
    }

    async fn processes(&self) -> Result<PageContent, Refusal> {
        let found = server::answer(self.caseload.admin().processes(self.actor).await)?;
        let kinds = server::answer(self.caseload.admin().kinds(self.actor).await)?;
        let running = server::answer(self.caseload.admin().running(self.actor, processes::RUNNING).await)?;
        let view = view! { {done::notice(self.search)}{processes::view(found, running, kinds)} };
        moving("Processes", view.into_any(), "queue", self.search)
    }

    async fn kind(&self, kind: &str) -> Result<PageContent, Refusal> {
        let kinds = server::answer(self.caseload.admin().kinds(self.actor).await)?;
        let found = kinds.into_iter().find(|found| found.kind == kind);
        let found = server::answer(found.ok_or_else(|| Problem::not_found("kind of task")))?;
        still("Pause or resume", pause_kind::view(found, url::refusal(self.search)))
    }

    async fn locks(&self) -> Result<PageContent, Refusal> {
        let found = server::answer(self.caseload.admin().locks(self.actor).await)?;
        let view = view! { {done::notice(self.search)}{locks::view(found)} };
        moving("Locks", view.into_any(), "queue", self.search)
    }

    async fn release(&self) -> Result<PageContent, Refusal> {
        let name = url::value(self.search, "name").unwrap_or_default();
        let found = server::answer(self.caseload.admin().locks(self.actor).await)?;
        let found = found.into_iter().find(|lock| lock.name == name);
        let found = server::answer(found.ok_or_else(|| Problem::not_found("lock")))?;
        still("Release a lock", locks::release(found, url::refusal(self.search)))
    }

    async fn schedules(&self) -> Result<PageContent, Refusal> {
        let found = server::answer(self.caseload.admin().schedules(self.actor).await)?;
        let view = view! { {done::notice(self.search)}{schedules::view(found)} };
        moving("Schedules", view.into_any(), "queue", self.search)
    }

    async fn schedule(&self, name: &str) -> Result<PageContent, Refusal> {
        let found = server::answer(self.caseload.admin().schedules(self.actor).await)?;
        let found = found.into_iter().find(|schedule| schedule.name == name);
        let found = server::answer(found.ok_or_else(|| Problem::not_found("schedule")))?;
        still(format!("Schedule {name}"), schedules::one(found, url::refusal(self.search)))
    }

    async fn audit(&self) -> Result<PageContent, Refusal> {
        let pairs = self.pairs()?;
        let query = AuditQuery::from_pairs(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
        let query = server::answer(query)?;
        let page = server::answer(self.caseload.audit().list(self.actor, &query).await)?;
        let actors = server::answer(self.caseload.admin().task_owners(self.actor).await)?;
        still("Audit trail", audit::view(query, page, actors, &url::query(&pairs)))
    }

    async fn users(&self) -> Result<PageContent, Refusal> {
        let found = server::answer(self.caseload.users().list(self.actor).await)?;
        let refusal = url::refusal(self.search);
        let view = view! { {done::notice(self.search)}{users::view(found, refusal)} };
        still("Users", view.into_any())
    }

    async fn user(&self, id: &str) -> Result<PageContent, Refusal> {
        let id = server::id(id, "account")?;
        let found = server::answer(self.caseload.users().get(self.actor, id).await)?;
        let query = AuditQuery {
            object_kind: Some("account".to_owned()),
            object_id: Some(id.to_string()),
            limit: Some(10),
            ..AuditQuery::default()
        };
        let (trail, next) = server::answer(self.caseload.audit().list_part(self.actor, &query).await)?;
        let title = found.name.clone();
        let fresh = users::fresh(FreshPassword::take());
        let (me, asks) = (id == self.actor.person_id, server::asks_password());
        let refusal = url::refusal(self.search);
        let view =
            view! { {done::notice(self.search)}{fresh}{users::one(found, me, asks, (trail, next.is_some()), refusal)} };
        still(title, view.into_any())
    }

    fn settings(&self) -> Result<PageContent, Refusal> {
        let list = use_context::<SettingsInEffect>().map(|settings| settings.0.to_vec()).unwrap_or_default();
        still("Settings in effect", settings::view(list))
    }

    fn pairs(&self) -> Result<Vec<(String, String)>, Refusal> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (key, value) in url::pairs(self.search).into_iter().filter(|(key, _)| !SAID.contains(&key.as_str())) {
            if DAYS.contains(&key.as_str()) {
                pairs.retain(|(other, _)| *other != key);
            }
            pairs.push((key, value));
        }
        let names = pairs.iter().map(|(key, _)| key.as_str());
        server::answer(filter::once(names.filter(|name| *name != columns::KEY)))?;
        Ok(pairs)
    }

    fn window(&self, default: Window) -> Result<Window, Refusal> {
        match value(&self.pairs()?, "window") {
            Some(window) => server::answer(filter::parse("window", &window, Reader::Person)),
            None => Ok(default),
        }
    }
}

fn value(pairs: &[(String, String)], key: &str) -> Option<String> {
    pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
}
