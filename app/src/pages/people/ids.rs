//! Choosing people by their school ids, pasted or from a file. The server renders it.

use leptos::prelude::*;
use model::{Permission, SelectionView};

use crate::components::values::numbers::{counted, grouped, people};
use crate::{
    components::{
        blank::Notice,
        icon::Icon,
        offered_actions::{compose, offered_to},
        textarea::{TextArea, Writing},
        type_erasure::Erase,
    },
    refusal::{Refusal, wrong},
};

/// What the page is called, also where something leads to it.
pub const TITLE: &str = "Select people by school ID";

/// What came of the ids that were given.
pub struct FoundIds {
    pub selected: Option<SelectionView>,
    /// Those of which nobody was found, and how many more there are.
    pub unknown: Vec<String>,
    pub more: u64,
    /// How many were given more than once.
    pub repeated: u64,
    /// What was pasted, while it is short enough for an address.
    pub pasted: String,
}

/// The page: what came of the ids, and the form.
#[component]
pub fn Ids(found: FoundIds, permissions: Vec<Permission>, refusal: Option<Refusal>) -> impl IntoView {
    let FoundIds { selected, unknown, more, repeated, pasted } = found;
    let selected = selected.filter(|selected| selected.count > 0);
    let pasted = refusal.as_ref().and_then(|refusal| refusal.given("schoolIds")).unwrap_or(pasted);
    let missing = missing(&unknown, more, selected.is_some(), !pasted.is_empty());
    // Of two buttons the one that leads on is the first.
    let (class, find) = match selected {
        Some(_) => ("button large", "Find again"),
        None => ("button primary large", "Find people"),
    };
    let found = selected.map(|selected| found_people(&selected, repeated, &permissions));
    // Whoever has such a file may be looking for the other page.
    let by_list = permissions.contains(&Permission::ReassignCoach).then(|| {
        view! { <p class="meta soft">"A file that says who gets which coach goes to " <a href="/people/reassign">"Reassign coaches by list"</a> "."</p> }
    });
    let problem = wrong(refusal.as_ref(), "schoolIds");
    // What is wrong with the ids is said beside them.
    let refused = refusal.filter(|_| problem.is_none());
    let refused = refused.map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/people">"People"</a></li></ol>
                <h1>{TITLE}</h1>
                <p class="facts"><span>"Paste at most 10,000, one on each line or separated by commas or spaces. Or choose a file."</span></p>
                {by_list}
            </div>
        </header>
        {refused}
        {found}
        {missing}
        <form class="stack measure" method="post" action="/people/ids" enctype="multipart/form-data">
            <TextArea
                label="School IDs"
                name="schoolIds"
                value=pasted
                hint="You see who was found before you do anything with them."
                problem
                writing=Writing::Lines
            />
            <div class="field">
                <label for="file">"Or a file with school IDs"</label>
                <input class="input" type="file" id="file" name="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"/>
                <span class="hint" id="file-hint">"Text or CSV. In a table, the first column is used."</span>
            </div>
            <div class="line">
                <button class=class>{find}</button>
                <a class="button quiet large" href="/people">"Back to people"</a>
            </div>
        </form>
    }
}

/// Who was found, and what can be done with them.
fn found_people(selected: &SelectionView, repeated: u64, permissions: &[Permission]) -> AnyView {
    let repeated = match repeated {
        0 => None,
        1 => Some("1 school ID was given more than once; its person is selected once.".to_owned()),
        n => Some(format!("{} school IDs were given more than once; each person is selected once.", grouped(n))),
    };
    let repeated = repeated.map(|words| view! { <p class="soft">{words}</p> });
    let token = selected.token;
    let on = if selected.count == 1 { "Continue with this person" } else { "Continue with these people" };
    let acts = offered_to(permissions).into_iter().map(|offered| {
        view! { <a class="button" href=compose(offered.kind, token)><Icon name=offered.icon/>{offered.words}</a> }
    });
    view! {
        <section class="panel sunken measure" aria-labelledby="h-found">
            <h2 id="h-found">{format!("{} found and selected", people(selected.count))}</h2>
            {repeated}
            <div class="line">
                <a class="button primary large" href=format!("/people?sel={token}")>{on}</a>
            </div>
            <p class="meta soft">"Or start an action now:"</p>
            <div class="line">{acts.collect_view()}</div>
        </section>
    }
    .erase()
}

/// As many of them stand in sight; the others can be unfolded.
const IN_SIGHT: usize = 20;

/// The ids of which nobody was found, and how to go on.
fn missing(unknown: &[String], more: u64, some_found: bool, came_back: bool) -> Option<AnyView> {
    let count = unknown.len() as u64 + more;
    if count == 0 {
        return None;
    }
    let title = format!("{} not found", counted(count, "school ID", "school IDs"));
    let list = |ids: &[String]| {
        let ids = ids.iter().map(|id| view! { <li class="id"><bdi>{id.clone()}</bdi></li> }).collect_view();
        view! { <ul class="ids">{ids}</ul> }
    };
    let (seen, others) = unknown.split_at_checked(IN_SIGHT).unwrap_or((unknown, &[]));
    let others = (!others.is_empty()).then(|| {
        let words = format!("Show {} more", grouped(others.len() as u64));
        view! { <details class="disclosure"><summary><Icon name="right"/>{words}</summary>{list(others)}</details> }
    });
    let more = (more > 0).then(|| view! { <p>{unnamed(more)}</p> });
    Some(
        view! {
            <section class="notice warn measure" aria-labelledby="h-missing">
                <Icon name="problems"/>
                <div>
                    <h2 id="h-missing">{title}</h2>
                    {list(seen)}
                    {others}
                    {more}
                    <p>{how_on(count, some_found, came_back)}" People whom you do not have access to are not found either."</p>
                </div>
            </section>
        }
        .erase(),
    )
}

/// Of those that an address has no room for: when they are named.
fn unnamed(more: u64) -> String {
    match more {
        1 => "One more is named once these are corrected or taken out of the list.".to_owned(),
        _ => format!("{} more are named once these are corrected or taken out of the list.", grouped(more)),
    }
}

/// A list that is too long to come back, or that came in a file, is given again.
fn how_on(count: u64, some_found: bool, came_back: bool) -> String {
    let them = if count == 1 { "it" } else { "them" };
    let find = if some_found { "Find again" } else { "Find people" };
    let correct = match came_back {
        true => format!("Correct {them} below and press “{find}”"),
        false => format!("Correct {them} in your list, paste it or choose the file again, and press “{find}”"),
    };
    if some_found { format!("{correct}, or continue without {them}.") } else { format!("{correct}.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under an empty field stood “Correct them below”.
    #[test]
    fn a_list_that_did_not_come_back_is_given_again() {
        assert_eq!(how_on(2, true, true), "Correct them below and press “Find again”, or continue without them.");
        assert_eq!(how_on(1, false, true), "Correct it below and press “Find people”.");
        let again = "Correct them in your list, paste it or choose the file again, and press “Find again”, or continue without them.";
        assert_eq!(how_on(1_000, true, false), again);
    }
}
