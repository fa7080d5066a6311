//! Filters by what an import keeps beyond the known fields, on the page and by REST.

use serde_json::Value;

use crate::site::Site;

testkit::tests!(a_field_that_an_import_keeps_narrows_the_page_and_the_interface);

async fn a_field_that_an_import_keeps_narrows_the_page_and_the_interface() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let page = async |query: &str| site.server.get(&format!("/people?{query}")).await.text();
    assert!(!page("").await.contains("Other fields"), "there is none");
    let person: model::PersonId = site.somebody().await.parse().unwrap();
    let kept = "INSERT INTO person_extra (person_id, name, value) VALUES ($1, 'IMD <band>', '10-20%')";
    site.caseload.db().write(kept, [person.into()]).await.unwrap();
    let menu = page("").await;
    assert!(menu.contains("Other fields") && menu.contains("name=\"extra.IMD &lt;band&gt;\""), "{menu}");
    let narrowed = page("extra.IMD+%3Cband%3E=10-20%25").await;
    assert!(narrowed.contains("1 person matches") && narrowed.contains("Remove filter IMD &lt;band&gt;"), "{narrowed}");
    assert!(narrowed.contains("value=\"10-20%\""), "what was typed stands in its field: {narrowed}");
    for (query, there) in [("extra.IMD+%3Cband%3E=10-20%25&extra.IMD+%3Cband%3E=x", 1), ("extra.IMD+%3Cband%3E=x", 0)] {
        let found: Value = site.server.get(&format!("/api/1/people?{query}")).await.json();
        assert_eq!(found["items"].as_array().map(Vec::len), Some(there), "{query}: {found}");
    }
}
