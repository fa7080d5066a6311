//! Uploading a list of people and coaches. The server renders it.

use leptos::prelude::*;
use model::{Problem, action::UNREADABLE_LINES};

use crate::{
    components::{icon::Icon, type_erasure::Erase, values::numbers::counted},
    pages::new_action::{LAST_STEP, mistakes::mistakes},
    refusal::{Refusal, wrong},
};

/// The coach in each of the ways that they can be named in.
const SAMPLE: &str = "School ID,Coach\nG1-0001926,kroth\nG1-0000036,E-0042\nG1-0001908,Katrin Roth\nG1-0001911,K. Roth";

/// The page.
#[component]
pub fn Reassign(refusal: Option<Refusal>) -> impl IntoView {
    let name =
        refusal.as_ref().filter(|refusal| !refusal.0.errors.is_empty()).and_then(|refusal| refusal.given("file"));
    let wrong = match (&name, &refusal) {
        (Some(_), Some(refusal)) => Some(of_file(&refusal.0)),
        _ => wrong(refusal.as_ref(), "file"),
    };
    let refused = refusal.map(|refusal| match name {
        Some(name) => refused_file(&name, &refusal.0),
        None => mistakes(&refusal.0),
    });
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/people">"People"</a></li></ol>
                <h1>"Reassign coaches by list"</h1>
            </div>
            <ol class="steps" aria-label="Steps"><li aria-current="step">"Choose"</li><li>{LAST_STEP}</li></ol>
        </header>
        {refused}
        <form class="stack measure" method="post" action="/people/reassign" enctype="multipart/form-data">
            <div class="field">
                <label for="file">"CSV file"</label>
                <input
                    class="input"
                    type="file"
                    id="file"
                    name="file"
                    accept=".csv,.tsv,.txt,text/csv"
                    required
                    aria-describedby="file-hint file-problem"
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="hint" id="file-hint">
                    "Two columns: a school ID and the new coach, with a comma, semicolon or tab between them."
                    <br/>
                    "The coach is named by username, school ID or name, or in short as “K. Roth” if only one fits."
                    <br/>
                    "Their account must be active."
                </span>
                <span class="problem" id="file-problem">{wrong}</span>
            </div>
            <figure class="stack tight">
                <figcaption class="meta soft">"Example. The first line, with the names of the columns, is optional."</figcaption>
                <pre class="trace" role="group" tabindex="0" aria-label="Example of a list">{SAMPLE}</pre>
            </figure>
            <div class="line">
                <button class="button primary large">"Check what will happen"</button>
                <a class="button quiet large" href="/people">"Cancel"</a>
                <span class="meta soft">"Nothing is changed before you submit it."</span>
            </div>
        </form>
    }
}

/// What is said of the file at its field. All that is wrong with it stands above the form, in one place.
fn of_file(problem: &Problem) -> String {
    match problem.more.get(UNREADABLE_LINES).and_then(serde_json::Value::as_u64) {
        Some(lines) => format!("The file has {} that cannot be read.", counted(lines, "line", "lines")),
        None => "This file cannot be used.".to_owned(),
    }
}

/// All that is wrong with the file of this name.
fn refused_file(name: &str, problem: &Problem) -> AnyView {
    let lines = problem.errors.iter().map(|error| view! { <li>{error.message.clone()}</li> }).collect_view();
    view! {
        <div class="notice danger" role="alert">
            <Icon name="problems"/>
            <div>
                <strong>"“"<bdi>{name.to_owned()}</bdi>"” cannot be used"</strong>
                <ul>{lines}</ul>
                <p>"Correct it and "<a href="#file">"choose the file again"</a>". The browser does not keep it."</p>
            </div>
        </div>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use model::FieldError;

    use super::*;

    fn html(problem: Problem, name: Option<&str>) -> String {
        let refusal = Refusal(problem);
        let refusal = name.map_or(refusal.clone(), |name| refusal.keeping(&[("file", name)]));
        view! { <Reassign refusal=Some(refusal)/> }.to_html()
    }

    /// Some stood above the form and one beside the field.
    #[test]
    fn what_is_wrong_with_a_file_is_said_in_one_place_with_its_name() {
        let wrong = |line| FieldError::new("file", "invalid", format!("Line {line}: no coach."));
        let problem = Problem::fields(vec![wrong(2), wrong(4)]).with(UNREADABLE_LINES, 14);
        let page = html(problem, Some("spring & <b>.csv"));
        for said in ["Line 2: no coach.", "Line 4: no coach.", "“<bdi>spring &amp; &lt;b&gt;.csv"] {
            assert_eq!(page.matches(said).count(), 1, "{said}: {page}");
        }
        assert!(page.contains("The file has 14 lines that cannot be read."), "{page}");
        assert!(page.contains("choose the file again"), "{page}");
        let page = html(Problem::field("file", "too_many", "A list has at most 10,000 lines."), Some("spring.csv"));
        assert_eq!(page.matches("A list has at most 10,000 lines.").count(), 1, "{page}");
    }

    #[test]
    fn a_file_that_was_not_sent_has_no_name() {
        let page = html(Problem::field("file", "required", "Choose a file."), None);
        assert!(page.contains("Choose a file.") && !page.contains("cannot be used"), "{page}");
    }
}
