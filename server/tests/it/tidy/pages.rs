//! What holds for every page.

use std::{collections::BTreeSet, fs};

use app::server::routes::PAGES;
use server::router;

use super::{files_with, of_the_product, root, set, sources};

#[test]
fn pages_know_the_server_in_one_line() {
    let lines: Vec<_> = sources()
        .iter()
        .filter(|source| source.path.starts_with("app/"))
        .flat_map(|source| source.code.lines().map(str::trim).map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| line.contains("feature = \"ssr\""))
        .collect();
    assert_eq!(lines, ["#[cfg(feature = \"ssr\")]"]);
}

/// An address becomes a page in one file; elsewhere one is only named, and a name that leads nowhere would be a dead end.
#[test]
fn an_address_that_a_page_names_leads_somewhere() {
    let (table, uploads) = (router::table(), router::uploads());
    let routes = table.routes().iter().chain(uploads.routes()).map(|(_, path)| *path);
    let known: Vec<Vec<&str>> =
        routes.chain(PAGES.iter().map(|page| page.address)).map(|path| path.split('/').collect()).collect();
    let leads = |address: &str| {
        let path: Vec<&str> = address.split(['?', '#']).next().unwrap_or_default().split('/').collect();
        let fits = |known: &&str, named: &&str| known == named || known.starts_with('{') || named.starts_with('{');
        known
            .iter()
            .any(|known| known.len() == path.len() && known.iter().zip(&path).all(|(known, named)| fits(known, named)))
    };
    let (mut named, mut nowhere) = (0, BTreeSet::new());
    for source in sources().iter().filter(|source| source.path.starts_with("app/")) {
        let texts = source.code.match_indices("\"/").filter_map(|(at, _)| {
            let address = source.code[at + 1..].split('"').next()?;
            // What is given with it is one part more.
            let below = source.code[..at].ends_with("below(");
            Some(if below { format!("{address}/{{}}") } else { address.to_owned() })
        });
        let addresses = texts.filter(|text| text.chars().nth(1).is_some_and(|letter| letter.is_ascii_lowercase()));
        for address in addresses.filter(|text| !text.starts_with("/api/page") && !text.contains(' ')) {
            named += 1;
            if !leads(&address) {
                nowhere.insert(format!("{}: {address}", source.path));
            }
        }
    }
    assert_eq!(nowhere, BTreeSet::new());
    assert!(named > 150, "{named} addresses are found where this test looks for them");
}

#[test]
fn a_text_area_is_escaped_because_there_is_one() {
    assert_eq!(files_with(&["<textarea"]), set(&["app/src/components/textarea.rs"]));
}

/// The component itself is the linter's; what it does not see is an element in markup.
#[test]
fn a_title_is_text_because_one_component_writes_it() {
    // Two have pages of constants, and one escapes what it is given.
    let pages = ["server/src/api/docs.rs", "server/src/api/problems.rs", "server/src/web/problem/page.rs"];
    assert_eq!(files_with(&["<title"]), set(&pages));
    assert_eq!(files_with(&["<TitlesAreText/>"]), set(&["app/src/server/page.rs"]), "around every page");
}

/// Types and methods are the linter's; what it does not see is an attribute in a view, and a script.
#[test]
fn what_is_written_as_markup_comes_through_one_door() {
    for source in sources() {
        for (at, _) in source.code.match_indices("inner_html").filter(|(at, _)| !source.code[..*at].ends_with("set_")) {
            let given = source.code[at..].strip_prefix("inner_html=").unwrap_or_default();
            let audited = ["trusted_html::fixed(", "trusted_html::made(", "trusted_html::area("]
                .iter()
                .any(|door| given.starts_with(door));
            assert!(audited, "{} writes markup past app/src/components/trusted_html.rs", source.path);
        }
    }
    assert_eq!(files_with(&[".to_html()"]), set(&[]));
    let scripts =
        ["page.js", "forms.js"].map(|name| fs::read_to_string(root().join("frontend").join(name)).unwrap()).concat();
    for (way, times) in
        [(".innerHTML", 1), ("insertAdjacentHTML", 0), ("document.write", 0), ("fetch(", 4), ("form.action", 0)]
    {
        assert_eq!(scripts.matches(way).count(), times, "page.js and forms.js: {way}");
    }
    let go = fs::read_to_string(root().join("frontend/go.js")).unwrap();
    for (way, times) in
        [("innerHTML", 0), ("insertAdjacentHTML", 0), ("document.write", 0), ("fetch(", 1), ("fetch(`${GO}?", 1)]
    {
        assert_eq!(go.matches(way).count(), times, "go.js: {way}");
    }
    let passkey = fs::read_to_string(root().join("frontend/passkey.js")).unwrap();
    let asked = "fetch(`${form.getAttribute(\"action\")}/question`,";
    for (way, times) in [("innerHTML", 0), ("insertAdjacentHTML", 0), ("document.write", 0), ("fetch(", 1), (asked, 1)]
    {
        assert_eq!(passkey.matches(way).count(), times, "passkey.js: {way}");
    }
    // Where they lead stands in the script, or is the address of the page itself.
    let constant = ["fetch(DRAFTS,", "fetch(VALUES,", "fetch(`${pathname}?${again}`,", "fetch(to,"]
        .map(|call| scripts.matches(call).count());
    assert_eq!(constant, [1; 4]);
}

/// Markup that comes anew is merged into what is there (`frontend/page.js`): a row that does not say what it stands for would
/// become another's, with what somebody has ticked or opened in it. The rows of a head or a foot are always the same.
#[test]
fn a_row_says_what_it_stands_for() {
    let mut seen = 0;
    for source in sources().iter().filter(|source| source.path.starts_with("app/")) {
        let rows = source.code.match_indices("<tr").map(|(at, _)| (&source.code[..at], &source.code[at + 3..]));
        // Not a type or another element whose name begins so.
        for (before, row) in rows.filter(|(_, row)| row.starts_with([' ', '\n', '>'])) {
            let within = before.trim_end().rsplit('<').next().unwrap_or_default();
            let fixed = within.ends_with('>') && ["thead", "tfoot"].iter().any(|part| within.starts_with(part));
            let says = row.trim_start().starts_with("data-key=");
            let fine = fixed || says;
            let shown = row.lines().next().unwrap_or_default();
            assert!(fine, "{}: a row whose first attribute is no data-key: <tr{shown}", source.path);
            seen += usize::from(says);
        }
    }
    assert!(seen > 20, "the rows are where this test looks for them");
}

/// Most fields have to be filled in, and say nothing; the others say so in one way.
#[test]
fn a_field_that_may_be_left_empty_says_so() {
    assert_eq!(files_with(&[" (optional)"]), set(&["app/src/components/optional.rs"]));
    // Asked for by one of two buttons of a form; written for several forms; no form to fill in; one of two that are needed;
    // there only where a tick asks for it.
    let exempt = [
        "app/src/components/own_password.rs",
        "app/src/components/textarea.rs",
        "app/src/pages/admin/users/left_tasks.rs",
        "app/src/pages/import/import_panel.rs",
        "app/src/pages/people/extra_fields.rs",
        "app/src/pages/people/filters.rs",
        "app/src/pages/people/ids.rs",
    ];
    let mut seen = 0;
    for source in sources().iter().filter(|source| source.path.starts_with("app/") && !exempt.contains(&&*source.path))
    {
        for field in source.code.split("<label for=").skip(1) {
            let field = field.split("</div>").next().unwrap_or_default();
            // One of its choices is always chosen.
            let says = ["required", "<Optional/>", "<select"].iter().any(|word| field.contains(word));
            let name = field.lines().next().unwrap_or_default();
            assert!(says, "{}: may this field be left empty? {name}", source.path);
            seen += 1;
        }
    }
    assert!(seen > 15, "{seen}");
}

#[test]
fn what_callers_sent_reaches_a_header_through_one_door() {
    let names = ["LOCATION", "Location:", "\"location\""];
    assert_eq!(files_with(&names), set(&["server/src/web/redirect.rs"]));
    assert_eq!(
        files_with(&["Redirect::", "leptos_axum::redirect"]),
        set(&["app/src/server/redirect.rs", "server/src/web/redirect.rs"])
    );
    let names = ["CONTENT_DISPOSITION", "content-disposition"];
    assert_eq!(files_with(&names), set(&["server/src/web/headers.rs"]));
}

#[test]
fn no_style_attribute_breaks_the_policy() {
    assert_eq!(of_the_product(files_with(&[" style=", " style:"])), set(&[]));
}

/// What stands around everything and is asked what it holds makes browsers look at the style of the whole page anew at each press.
#[test]
fn no_style_asks_the_whole_page_what_it_holds() {
    let mut folders = vec![root().join("style")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            seen += text.matches(":has(").count();
            for whole in [":root", "html", "body", ".shell", "main"] {
                assert!(!text.contains(&format!("{whole}:has(")), "{}: {whole}", path.display());
            }
        }
    }
    assert!(seen > 20, "the styles are where this test looks for them");
}

/// A page that asks the model for a number's words writes commas to somebody who wants none.
#[test]
fn a_page_counts_through_one_door() {
    let words = ["grouped", "grouped_by", "counted", "people", "tasks"];
    let mut seen = 0;
    for source in sources().iter().filter(|source| source.path.starts_with("app/")) {
        let door = source.path == "app/src/components/values/numbers.rs";
        seen += source.code.matches("values::numbers").count();
        let used = source.code.split("use model::").skip(1).filter_map(|rest| rest.split(';').next());
        let imported = used.flat_map(|used| used.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let called = source.code.split("model::").skip(1).filter_map(|rest| rest.split('(').next());
        let past: Vec<_> = imported.chain(called).filter(|name| words.contains(name)).collect();
        assert!(door || past.is_empty(), "{}: {past:?} past app/src/components/values/numbers.rs", source.path);
        let total = [".short()", "Total::short"].iter().any(|words| source.code.contains(words));
        assert!(!total, "{}: the words of a total", source.path);
    }
    assert!(seen > 40, "{seen} pages count where this test looks for it");
}
