//! The rules of the browser tests that can be seen by reading their text: those that Playwright lets one forget. What is seen in
//! their syntax alone, as that a test waits for what it expects, is the linter's (`end2end/lint/reads.mjs`).

use std::{fs, path::PathBuf};

/// The files of these folders, with what they say.
fn files(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../end2end");
    let paths = folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let found: Vec<_> = paths.map(|entry| entry.unwrap().path()).collect();
    assert!(found.len() > 20, "the browser tests are where this looks for them");
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// These of Playwright do without a hand on the mouse, and so saw nothing of menus that close under it: choices are made by
/// `end2end/support/mouse.ts`.
#[test]
fn a_browser_test_clicks_where_a_person_would() {
    let handless = [".check(", ".uncheck(", ".setChecked(", ".selectOption(", ".dispatchEvent('click", "click({ force"];
    for (path, text) in files(&["tests", "delivered", "other-browsers", "support"]) {
        let found = handless.iter().find(|call| text.contains(**call));
        assert!(found.is_none(), "{}: {found:?} is no click; use support/mouse.ts", path.display());
    }
}

/// An answer that was refused is read like any other, and something else is missed in it then.
#[test]
fn a_browser_test_looks_at_an_answer_of_the_api_before_it_reads_it() {
    for (path, text) in files(&["tests", "delivered", "other-browsers", "support"])
        .iter()
        .filter(|(path, _)| !path.ends_with("support/api.ts"))
    {
        assert!(!text.contains(".json()"), "{}: `read` or `post` of support/api.ts", path.display());
    }
}

/// What took too long on a machine that has much else to do is no fault of the code.
#[test]
fn a_browser_test_holds_no_figure_to_a_time_by_itself() {
    for (path, text) in files(&["tests", "other-browsers"]) {
        let line = text.lines().find(|line| line.contains("Date.now() -"));
        assert!(line.is_none(), "{}: use support/figures.ts and not {line:?}", path.display());
    }
}

/// What is waited for has as long as playwright.config.ts says; a try that is repeated is a second at most.
#[test]
fn a_browser_test_is_as_patient_as_all_others() {
    for (path, text) in files(&["tests", "delivered", "other-browsers", "support"]) {
        for line in text.lines() {
            let bound = line.split("imeout: ").nth(1).map(|rest| rest.replace('_', ""));
            let digits = bound.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
            let short =
                digits.and_then(|digits| digits.parse::<u32>().ok()).is_some_and(|ms| (1_001..60_000).contains(&ms));
            assert!(!short && !line.contains("test.setTimeout("), "{}: leave the time out of\n{line}", path.display());
        }
    }
}
