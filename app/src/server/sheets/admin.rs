//! The pages of administrators, and what each needs.

use caseload::cause_title;
use leptos::prelude::*;
use model::{
    Problem, TaskId, TaskRow,
    admin::{AdminTaskQuery, AuditQuery, BulkPreview, BulkVerb, TaskOrder, Window},
    enum_words::Reader,
    kind::label_of,
    length::within,
    parameters,
    task::{TaskGroup, TaskState},
};

use super::rendered::rendered;
use crate::{
    components::frame::{PageContent, Pulse},
    pages::admin::{
        act, audit, failures,
        fields::{DAYS, TypedFilter},
        fresh_password, kind, locks, overview, processes, schedules, settings, task,
        tasks::{
            self, check,
            columns::{self, ListColumn},
        },
        users,
    },
    pages::done,
    refusal::Refusal,
    server::{
        self, FreshPassword, SettingsInEffect,
        asked::{Asked, Made},
        shown,
    },
    url,
};

/// What has just been done stands in the address, and is no filter.
const SAID: [&str; 4] = [done::KEY, "n", "left", "of"];

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

pub async fn overview(asked: Asked<'_>) -> Made {
    let window = asked.window(Window::Hour)?;
    let health = server::answer(asked.caseload.admin().health(asked.actor).await)?;
    let history = server::answer(asked.caseload.admin().history(asked.actor, window, None).await)?;
    let content = overview::OverviewContent {
        health: (*health).clone(),
        window,
        history,
        running: server::answer(asked.caseload.admin().running(asked.actor, overview::RUNNING).await)?,
        processes: server::answer(asked.caseload.admin().processes(asked.actor).await)?,
    };
    let title = match health.troubles() {
        0 => "Queue".to_owned(),
        n => format!("Queue ({n})"),
    };
    moving(title, overview::view(content), "queue", asked.search)
}

pub async fn tasks(asked: Asked<'_>) -> Made {
    let (pairs, typed) = TypedFilter::sound(asked.pairs()?, &DAYS);
    // What was on the page when it was rendered first: it is rendered again, and what came since is counted.
    let (search, again) = shown::split::<TaskId>(asked.search);
    // A form names each of them anew.
    let columns: Vec<&str> =
        pairs.iter().filter(|(key, _)| key == columns::KEY).map(|(_, value)| value.as_str()).collect();
    let columns = ListColumn::asked((!columns.is_empty()).then(|| columns.join(",")).as_deref());
    let narrowing = pairs.iter().filter(|(key, _)| key != shown::KEY && key != columns::KEY);
    let query =
        AdminTaskQuery::from_pairs(narrowing.map(|(key, value)| (key.as_str(), value.as_str())), Reader::Person);
    let query = one_task(server::answer(query)?);
    let groups: Vec<Option<TaskGroup>> = tasks::tabs().collect();
    let page = match &again {
        Some(ids) => asked.caseload.admin().task_list_again(asked.actor, &query, ids).await,
        None => asked.caseload.admin().task_list(asked.actor, &query).await,
    };
    let page = server::answer(page)?;
    let counts = server::answer(asked.caseload.admin().task_counts(asked.actor, &query, &groups).await)?;
    let owners = server::answer(asked.caseload.admin().task_owners(asked.actor).await)?;
    let processes = server::answer(asked.caseload.admin().processes(asked.actor).await)?;
    let processes = processes.into_iter().map(|process| (process.id.clone(), process.id)).collect();
    let mut newer = 0;
    // Of a list that begins with the oldest, the new ones are at its end.
    let begins = query.after.is_none() && query.order == TaskOrder::Newest;
    if let Some(newest) = again.as_ref().and_then(|ids| ids.first()).filter(|_| begins) {
        newer = server::answer(asked.caseload.admin().newer_tasks(asked.actor, &query, *newest).await)?;
    }
    let cause = match &query.cause {
        Some(cause) => server::answer(cause_title(asked.caseload, asked.actor, cause).await)?,
        None => None,
    };
    let again = shown::with(&search, page.items.iter().map(|row| row.row.id.uuid()));
    let states: Vec<TaskState> = page.items.iter().map(|row| row.row.state).collect();
    let notice = done::notice_of_tasks(asked.search, &states);
    let content = tasks::TasksContent { query, typed, cause, page, counts, owners, processes, newer, columns };
    let view = view! { {act::refused(url::refusal(asked.search).as_ref())}{notice}{tasks::view(content)} };
    moving("All tasks", view.into_any(), "tasks", &again)
}

/// Whoever searches for a whole task ID wants this task, which no error message names.
fn one_task(query: AdminTaskQuery) -> AdminTaskQuery {
    match query.error.as_deref().and_then(|words| words.trim().parse().ok()) {
        Some(id) => AdminTaskQuery { error: None, only: Some(vec![id]), ..query },
        None => query,
    }
}

pub async fn check(asked: Asked<'_>) -> Made {
    // Which page of which look it is narrows nothing.
    let (place, pairs): (Vec<_>, Vec<_>) =
        asked.pairs()?.into_iter().partition(|(key, _)| [check::PREVIEW, url::AFTER].contains(&key.as_str()));
    let pressed = value(&pairs, "do").unwrap_or_default();
    let all = pressed.ends_with("-all");
    let verb: BulkVerb = server::answer(parameters::parse("do", pressed.trim_end_matches("-all"), Reader::Person))?;
    let (chosen, list): (Vec<_>, Vec<_>) =
        pairs.iter().filter(|(key, _)| key != "do" && key != check::FROM).cloned().partition(|(key, _)| key == "only");
    let list: Vec<(String, String)> = list
        .into_iter()
        .map(|(key, value)| (if key == tasks::AMONG { "only".to_owned() } else { key }, value))
        .collect();
    // Whoever names tasks means these, whatever narrows the list around them.
    let query = if all { &list } else { &chosen }.iter().filter(|(key, _)| key != columns::KEY);
    let query = AdminTaskQuery::from_pairs(query.map(|(key, value)| (key.as_str(), value.as_str())), Reader::Person);
    let query = server::answer(query)?;
    if !all && query.only.is_none() {
        return still("Nothing is selected", check::nobody(verb, &url::query(&list)));
    }
    let (preview, page, gone) = look(asked, verb, &query, &place).await?;
    let first = gone.is_some() || value(&place, url::AFTER).is_none();
    // Those that it reaches are shown afterwards, one by one if they are few; a filter by state or cause would show nobody any more.
    let few = first && page.next.is_none();
    let kept = |(key, _): &&(String, String)| match all && !few {
        true => key != "state" && key != "ended" && (key != "cause" || verb == BulkVerb::Abandon),
        false => key == columns::KEY,
    };
    let selected = chosen.iter().filter(|_| !all && !few);
    let mut then: Vec<_> = list.iter().filter(kept).chain(selected).cloned().collect();
    if few {
        let ids: Vec<String> = page.items.iter().map(|row| row.id.to_string()).collect();
        then.push(("only".to_owned(), ids.join(",")));
    } else if all && verb == BulkVerb::Abandon {
        then.push(("state".to_owned(), "ABANDONED,CANCELLED".to_owned()));
    }
    let way = check::Way {
        from: check::AskedOn::named(value(&pairs, check::FROM).as_deref()),
        asked: url::query(&pairs),
        list: url::query(&list),
        then: url::query(&then),
        first,
    };
    let content = check::CheckContent { query, preview, page, way };
    still(format!("{} tasks", verb.label()), check::view(content, url::refusal(asked.search).or(gone)))
}

/// What a check shows: a page of what was looked at before, or what there is now, which is then kept. A look that is not kept
/// any more is taken anew, and that is said.
async fn look(
    asked: Asked<'_>,
    verb: BulkVerb,
    query: &AdminTaskQuery,
    place: &[(String, String)],
) -> Result<(BulkPreview, model::Page<TaskRow>, Option<Refusal>), Refusal> {
    let mut gone = None;
    if let Some(token) = value(place, check::PREVIEW) {
        let token = server::id(&token, "check")?;
        let kept = asked.caseload.admin().bulk_again(asked.actor, verb, query, token).await.map_err(Problem::from);
        match kept {
            Ok(preview) => {
                let after = server::answer(url::after(asked.search))?;
                let page = asked.caseload.admin().bulk_tasks(asked.actor, verb, token, after.as_ref()).await;
                return Ok((preview, server::answer(page)?, None));
            }
            Err(problem) if problem.message_for("previewToken").is_some() => gone = Some(Refusal(problem)),
            Err(problem) => return server::answer(Err(problem)),
        }
    }
    let preview = server::answer(asked.caseload.admin().preview_bulk(asked.actor, verb, query).await)?;
    let page = asked.caseload.admin().bulk_tasks(asked.actor, verb, preview.preview_token, None).await;
    Ok((preview, server::answer(page)?, gone))
}

pub async fn task(asked: Asked<'_>) -> Made {
    let id = server::id(asked.named, "task")?;
    let found = server::answer(asked.caseload.admin().task(asked.actor, id).await)?;
    let trail = server::answer(asked.caseload.audit().of_task(asked.actor, id).await)?;
    let title = format!("{} · Queue", found.task.row.title);
    let (refusal, topics) = (url::refusal(asked.search), format!("task:{id},queue"));
    let notice = done::notice_of_tasks(asked.search, &[found.task.row.state]);
    let view = view! { {notice}{task::view(found, trail, refusal)} };
    moving(title, view.into_any(), &topics, asked.search)
}

pub async fn failures(asked: Asked<'_>) -> Made {
    let window = asked.window(Window::Day)?;
    let found = server::answer(asked.caseload.admin().failures(asked.actor, window).await)?;
    let chosen = url::value(asked.search, "cause");
    moving("Failures", failures::view(found, window, chosen), "queue", asked.search)
}

pub async fn processes(asked: Asked<'_>) -> Made {
    let found = server::answer(asked.caseload.admin().processes(asked.actor).await)?;
    let kinds = server::answer(asked.caseload.admin().kinds(asked.actor).await)?;
    let running = server::answer(asked.caseload.admin().running(asked.actor, processes::RUNNING).await)?;
    let view = view! { {done::notice(asked.search)}{processes::view(found, running, kinds)} };
    moving("Processes", view.into_any(), "queue", asked.search)
}

pub async fn kind(asked: Asked<'_>) -> Made {
    let kinds = server::answer(asked.caseload.admin().kinds(asked.actor).await)?;
    let found = kinds.into_iter().find(|found| found.kind == asked.named);
    let found = server::answer(found.ok_or_else(|| Problem::not_found("kind of task")))?;
    let history = asked.caseload.admin().history(asked.actor, Window::Day, Some(&found.kind)).await;
    let history = server::answer(history)?;
    still(label_of(&found.kind), kind::view(found.clone(), &history, url::refusal(asked.search)))
}

pub async fn locks(asked: Asked<'_>) -> Made {
    let found = server::answer(asked.caseload.admin().locks(asked.actor).await)?;
    let view = view! { {done::notice(asked.search)}{locks::view(found)} };
    moving("Locks", view.into_any(), "queue", asked.search)
}

pub async fn release(asked: Asked<'_>) -> Made {
    let name = url::value(asked.search, "name").unwrap_or_default();
    let found = server::answer(asked.caseload.admin().locks(asked.actor).await)?;
    let found = found.into_iter().find(|lock| lock.name == name);
    let found = server::answer(found.ok_or_else(|| Problem::not_found("lock")))?;
    still("Release a lock", locks::release(found, url::refusal(asked.search)))
}

pub async fn schedules(asked: Asked<'_>) -> Made {
    let found = server::answer(asked.caseload.admin().schedules(asked.actor).await)?;
    let view = view! { {done::notice(asked.search)}{schedules::view(found)} };
    moving("Schedules", view.into_any(), "queue", asked.search)
}

pub async fn schedule(asked: Asked<'_>) -> Made {
    let found = server::answer(asked.caseload.admin().schedules(asked.actor).await)?;
    let found = found.into_iter().find(|schedule| schedule.name == asked.named);
    let found = server::answer(found.ok_or_else(|| Problem::not_found("schedule")))?;
    let title = if found.purpose.is_empty() { found.name.clone() } else { found.purpose.clone() };
    still(title, schedules::one(found, url::refusal(asked.search)))
}

pub async fn audit(asked: Asked<'_>) -> Made {
    let (pairs, typed) = TypedFilter::sound(asked.pairs()?, &audit::TYPED);
    let query = AuditQuery::from_pairs(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    let query = server::answer(query)?;
    let page = server::answer(asked.caseload.audit().list(asked.actor, &query).await)?;
    let actors = server::answer(asked.caseload.admin().task_owners(asked.actor).await)?;
    let mut names = server::answer(asked.caseload.audit().names(asked.actor, &page.items).await)?;
    for cause in page.items.iter().filter_map(audit::cause_of) {
        if !names.contains_key(cause) {
            let title = server::answer(cause_title(asked.caseload, asked.actor, cause).await)?;
            names.extend(title.map(|title| (cause.to_owned(), title)));
        }
    }
    let content = audit::AuditContent { query, typed, page, names, actors };
    still("Audit trail", audit::view(content, &url::query(&pairs)))
}

pub async fn users(asked: Asked<'_>) -> Made {
    let found = server::answer(asked.caseload.users().list(asked.actor).await)?;
    let refusal = url::refusal(asked.search);
    let view = view! { {done::notice(asked.search)}{users::view(found, refusal)} };
    still("Users", view.into_any())
}

pub async fn new_user(asked: Asked<'_>) -> Made {
    let sends_mail = asked.caseload.mail().is_configured();
    let (asks, username) = (server::own_proof(), server::typed_username());
    still("Add a user", users::new(asks, sends_mail, username, url::refusal(asked.search)))
}

pub async fn user(asked: Asked<'_>) -> Made {
    let id = server::id(asked.named, "account")?;
    let found = server::answer(asked.caseload.users().get(asked.actor, id).await)?;
    let goes_to = server::answer(asked.caseload.users().link_goes_to(asked.actor, id).await)?;
    let query = AuditQuery {
        object_kind: Some("account".to_owned()),
        object_id: Some(id.to_string()),
        limit: Some(10),
        ..AuditQuery::default()
    };
    let (trail, next) = server::answer(asked.caseload.audit().list_part(asked.actor, &query).await)?;
    let title = found.name.clone();
    let fresh = fresh_password::view(FreshPassword::take(), &found.name);
    let (me, asks) = (id == asked.actor.person_id, server::own_proof());
    let factor = server::answer(asked.caseload.users().second_factor(asked.actor, id).await)?;
    let left = server::answer(asked.caseload.users().left_tasks(asked.actor, id).await)?;
    let refusal = url::refusal(asked.search);
    let one = users::one(found, goes_to, me, asks, (trail, next.is_some()), (factor, left), refusal);
    let view = view! { {done::notice(asked.search)}{fresh}{one} };
    still(title, view.into_any())
}

pub async fn settings(asked: Asked<'_>) -> Made {
    let words = url::value(asked.search, "q").unwrap_or_default();
    server::answer(within::<{ settings::LONGEST }>(&words).map_err(|too_long| too_long.of("q")))?;
    let parts = use_context::<SettingsInEffect>().map(|settings| settings.0.to_vec()).unwrap_or_default();
    still("Settings in effect", settings::view(parts, words.trim()))
}

impl Asked<'_> {
    fn pairs(&self) -> Result<Vec<(String, String)>, Refusal> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (key, value) in url::pairs(self.search).into_iter().filter(|(key, _)| !SAID.contains(&key.as_str())) {
            // A form sends the instant that it keeps and after that the day that was chosen: of these the last one counts.
            if DAYS.contains(&key.as_str()) {
                pairs.retain(|(other, _)| *other != key);
            }
            pairs.push((key, value));
        }
        let names = pairs.iter().map(|(key, _)| key.as_str());
        server::answer(parameters::once(names.filter(|name| *name != columns::KEY)))?;
        Ok(pairs)
    }

    fn window(&self, default: Window) -> Result<Window, Refusal> {
        match value(&self.pairs()?, "window") {
            Some(window) => server::answer(parameters::parse("window", &window, Reader::Person)),
            None => Ok(default),
        }
    }
}

fn value(pairs: &[(String, String)], key: &str) -> Option<String> {
    pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
}
