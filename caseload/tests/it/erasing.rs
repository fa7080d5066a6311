//! Erasing a person: nothing of them stays but the id in the audit, and what others did stays true.

use model::{Action, PeopleFilter, PeopleQuery, Problem, ProgramStatus, Target, TaskState};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::{
    college::{College, everyone, school_ids, set},
    importing::uploaded,
    watching::WATCH,
};

testkit::on_both!(
    nothing_is_left_of_somebody_who_was_erased,
    a_task_skips_somebody_who_was_erased_meanwhile,
    files_that_may_hold_them_are_withdrawn,
    an_import_brings_nobody_back,
    an_import_that_waits_brings_nobody_back,
    a_failed_export_that_is_retried_has_nobody_who_was_erased,
    others_with_a_longer_school_id_keep_what_is_theirs,
    only_administrators_erase_and_never_without_a_reason,
);

/// Every text of every table, as one.
async fn everything(c: &College) -> String {
    let mut all = String::new();
    for (table, columns) in [
        ("person", "school_id || ' ' || last_name || ' ' || COALESCE(primary_email, '')"),
        ("person_extra", "name || ' ' || value"),
        ("queued_task", "COALESCE(execution_spec, '') || execution_state"),
        ("task_person", "COALESCE(given, '') || COALESCE(before_value, '') || COALESCE(after_value, '')"),
        ("program_status_history", "COALESCE(comment, '')"),
        ("early_alert", "COALESCE(comment, '')"),
        ("selection", "content"),
        ("preview", "content"),
        ("saved_view", "name || ' ' || query"),
        ("audit", "detail"),
    ] {
        let sql = format!("SELECT {columns} AS text FROM {table}");
        for row in c.test.db.reader().query_all_raw(c.test.db.statement(&sql, [])).await.unwrap() {
            all += &row.try_get::<String>("", "text").unwrap();
            all.push('\n');
        }
    }
    all
}

async fn nothing_is_left_of_somebody_who_was_erased(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let person = c.caseload.people().get(&c.coach, ids[0]).await.unwrap().row;
    let school_id = person.school_id.unwrap();
    let others = c.caseload.people().get(&c.coach, ids[1]).await.unwrap().row.school_id.unwrap();
    let by_id = Target::SchoolIds(school_ids([&school_id, &others]));
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), by_id.clone(), 2).await.unwrap().id;
    c.submit(&c.coach, WATCH, Target::People(ids[..3].to_vec()), 3).await.unwrap();
    c.run().await;
    c.caseload.actions().preview(&c.coach, set(ProgramStatus::NoShow), by_id).await.unwrap();
    c.caseload.selections().select_school_ids(&c.coach, school_ids([&school_id])).await.unwrap();
    let searched = PeopleFilter { q: person.name.replace(',', ""), ..PeopleFilter::default() };
    let query = PeopleQuery { filter: searched.clone(), ..PeopleQuery::default() };
    c.caseload.views().save(&c.coach, "the one", query, &model::ListLook::default()).await.unwrap();
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let scheduled = Target::Query { filter: searched, exclude: vec![] };
    c.submit(&c.coach, export, scheduled, 1).await.unwrap();
    c.run().await;
    let gossip = Action::early_alert("OTHER", &format!("sits with {school_id}")).unwrap();
    c.submit(&c.coach, gossip, Target::People(ids[..3].to_vec()), 3).await.unwrap();
    c.run().await;
    let reason = Some("asked for by letter");
    c.caseload.people().erase(&c.administrator, ids[0], &school_id, reason).await.unwrap();
    let left = everything(&c).await;
    let name = person.name.replace(',', "");
    for word in [&school_id, person.primary_email.as_ref().unwrap(), &ids[0].to_string(), &name] {
        assert!(!left.contains(word.as_str()), "{word} is still there");
    }
    assert!(left.contains(&others) && left.contains("asked for by letter"));
    let row = c.caseload.tasks().get(&c.coach, task).await.unwrap().row;
    assert_eq!((row.state, row.total, row.succeeded), (TaskState::Done, Some(2), 2), "the sum stays");
    let names: Vec<_> = c.caseload.tasks().ledger(&c.coach, task, &Default::default()).await.unwrap().items;
    assert_eq!(names.iter().filter(|line| line.name == "No longer in Docket").count(), 1);
    assert_eq!(c.count("SELECT COUNT(*) FROM watch", []).await, 2);
    let traced = "SELECT COUNT(*) FROM audit WHERE action = 'person.erase' AND object_id = $1 AND actor_id = $2";
    assert_eq!(c.count(traced, [ids[0].to_string().into(), c.administrator.person_id.into()]).await, 1);
}

async fn a_task_skips_somebody_who_was_erased_meanwhile(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let school_id = c.caseload.people().get(&c.coach, ids[3]).await.unwrap().row.school_id.unwrap();
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::People(ids), 10).await.unwrap().id;
    let id = c.students(&c.coach).await[3];
    c.caseload.people().erase(&c.administrator, id, &school_id, Some("a request")).await.unwrap();
    c.run().await;
    let row = c.caseload.tasks().get(&c.coach, task).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped), (9, 1));
}

async fn files_that_may_hold_them_are_withdrawn(on: On) {
    let c = College::of(on, 20).await;
    let export = || Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let task = c.submit(&c.manager, export(), Target::Everyone, 20).await.unwrap().id;
    c.run().await;
    let id = c.students(&c.manager).await[0];
    let school_id = c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    c.caseload.people().erase(&c.administrator, id, &school_id, Some("a request")).await.unwrap();
    let problem = Problem::from(c.caseload.tasks().download(&c.manager, task).await.map(|_| ()).unwrap_err());
    assert_eq!(problem.status, 410);
    assert_eq!(walk(c.folder.path()), 0, "no byte of it is left");
    let again = c.submit(&c.manager, export(), Target::Everyone, 19).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.manager, again).await.unwrap().file.unwrap().rows, 19);
}

async fn an_import_brings_nobody_back(on: On) {
    let c = College::of(on, 4).await;
    let mapping = "[person]\nschool_id = \"id\"\nlast_name = \"name\"\nprogram_status = { value = \"ACTIVE\" }\n";
    let file = uploaded(&c, "id,name\nE-7,Zweig\nE-7,Zweig\n").await;
    let task = c.caseload.imports().submit(&c.administrator, "spring.csv", mapping, file).await.unwrap().id;
    c.run().await;
    let target = Target::SchoolIds(school_ids(["E-7"]));
    c.caseload.actions().preview(&c.manager, set(ProgramStatus::NoShow), target).await.unwrap();
    let found = PeopleQuery { filter: PeopleFilter { q: "e-7".to_owned(), ..everyone() }, ..PeopleQuery::default() };
    let id = c.caseload.people().list(&c.manager, &found).await.unwrap().items[0].id;
    assert_eq!(walk(c.folder.path()), 1, "the upload");
    c.caseload.people().erase(&c.administrator, id, "E-7", Some("a request")).await.unwrap();
    assert_eq!(walk(c.folder.path()), 0);
    let lines = c.caseload.tasks().ledger(&c.administrator, task, &Default::default()).await.unwrap().items;
    let repeated = "repeated, the first line of this person was used";
    assert_eq!(lines[1].reason_label.as_deref(), Some(repeated), "it names nobody");
    let orphans = "SELECT COUNT(*) FROM task_person WHERE task_id NOT IN (SELECT id FROM queued_task)";
    assert_eq!(c.count(orphans, []).await, 0, "nobody is left of the preview");
}

async fn an_import_that_waits_brings_nobody_back(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.manager).await[0];
    let school_id = c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    let mapping = "[person]\nschool_id = \"id\"\nlast_name = \"name\"\nprogram_status = { value = \"ACTIVE\" }\n";
    let file = uploaded(&c, &format!("id,name\n{school_id},Zweig\nE-8,Ahorn\n")).await;
    let task = c.caseload.imports().submit(&c.administrator, "spring.csv", mapping, file).await.unwrap().id;
    c.caseload.people().erase(&c.administrator, id, &school_id, Some("a request")).await.unwrap();
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.succeeded, row.failed), (1, 1));
    let known = "SELECT COUNT(*) FROM person WHERE school_id = $1";
    assert_eq!(c.count(known, [school_id.clone().into()]).await, 0);
    assert!(!everything(&c).await.contains(&school_id));
    let new = c.caseload.imports().submit(
        &c.administrator,
        "autumn.csv",
        mapping,
        uploaded(&c, &format!("id,name\n{school_id},Zweig\n")).await,
    );
    new.await.unwrap();
    c.run().await;
    assert_eq!(c.count(known, [school_id.into()]).await, 1, "whoever is sent later is meant");
}

async fn a_failed_export_that_is_retried_has_nobody_who_was_erased(on: On) {
    let c = College::of(on, 20).await;
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let task = c.submit(&c.manager, export, Target::Everyone, 20).await.unwrap().id;
    c.run().await;
    // As it is when the last step of an export has failed.
    c.write("DELETE FROM export", []).await;
    let failed = "UPDATE queued_task SET workflow_status = 'FAILURE', execution_state = '{\"rows\":20,\"parts\":[1],\"read\":true}'
                  WHERE id = $1";
    c.write(failed, [task.into()]).await;
    let id = c.students(&c.manager).await[0];
    let school_id = c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    c.caseload.people().erase(&c.administrator, id, &school_id, Some("a request")).await.unwrap();
    assert_eq!(walk(c.folder.path()), 0, "nothing of it is left");
    c.caseload.tasks().retry(&c.manager, task, None).await.unwrap();
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.manager, task).await.unwrap().file.unwrap().rows, 19);
}

async fn others_with_a_longer_school_id_keep_what_is_theirs(on: On) {
    let c = College::of(on, 4).await;
    let ids = c.students(&c.manager).await;
    for (id, school_id) in ids.iter().zip(["K-1", "K-10"]) {
        let sql = "UPDATE person SET school_id = $1, school_key = $2 WHERE id = $3";
        c.write(sql, [school_id.into(), school_id.to_lowercase().into(), (*id).into()]).await;
    }
    let (selection, _) = c.caseload.selections().select_school_ids(&c.manager, school_ids(["K-10"])).await.unwrap();
    c.caseload.people().erase(&c.administrator, ids[0], "K-1", Some("a request")).await.unwrap();
    assert_eq!(c.caseload.selections().get(&c.manager, selection.token, &[]).await.unwrap().count, 1);
}

fn walk(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { walk(&path) } else { 1 }).sum()
}

async fn only_administrators_erase_and_never_without_a_reason(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    let school_id = c.caseload.people().get(&c.coach, id).await.unwrap().row.school_id.unwrap();
    for actor in [&c.coach, &c.manager] {
        let problem = Problem::from(c.caseload.people().erase(actor, id, &school_id, Some("x")).await.unwrap_err());
        assert_eq!(problem.status, 403);
    }
    for (given, reason, field) in [(school_id.as_str(), None, "reason"), ("another", Some("x"), "schoolId")] {
        let problem = Problem::from(c.caseload.people().erase(&c.administrator, id, given, reason).await.unwrap_err());
        assert_eq!(problem.errors[0].field, field);
    }
    let staff =
        c.caseload.people().erase(&c.administrator, c.manager.person_id.person(), "STAFF-manager", Some("x")).await;
    assert_eq!(Problem::from(staff.unwrap_err()).status, 404, "staff have accounts instead");
}
