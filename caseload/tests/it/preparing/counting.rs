//! What is counted before an import is what it then does.

use super::*;

testkit::on_both!(
    what_is_counted_is_what_the_import_then_does,
    an_empty_cell_that_would_delete_an_email_is_said_before_it_runs,
    a_change_of_status_is_told_first_however_much_else_changes,
    of_several_lines_of_a_person_the_one_counts_that_was_chosen,
    of_a_long_file_the_first_lines_are_counted,
    the_unreadable_lines_are_a_file_before_and_after_the_import,
    a_birth_date_in_the_future_is_unreadable_by_the_days_of_whoever_imports,
    whoever_is_added_by_a_file_is_nobodys_coach_in_it_before_or_after_their_line,
);

async fn what_is_counted_is_what_the_import_then_does(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.manager).await;
    let mut file = "School ID,Last name,Email,Status,Notes\n".to_owned();
    // Somebody stays as they are, and somebody changes.
    for (n, id) in ids[..4].iter().enumerate() {
        let row = c.caseload.people().get(&c.manager, *id).await.unwrap().row;
        let (id, email) = (row.school_id.unwrap(), row.primary_email.unwrap_or_default());
        let last = row.name.split(", ").next().unwrap().to_owned();
        writeln!(file, "{id},{last},{email},{},", if n < 2 { "Active" } else { "Inactive" }).unwrap();
    }
    // Long enough for several batches, with one repeated far from the first.
    for n in 0..700 {
        writeln!(file, "N-{n},Newcomer,n{n}@a.example,Active,{}", "x".repeat(900)).unwrap();
    }
    file += "N-3,Again,,Active,\n,Nobody,,Active,\nN-800,Odd,nowhere,Active,\nN-801,Odd,elsewhere,Active,\nN-802,Odd,,Gone,\n";
    c.write("UPDATE person SET school_id = 'STAFF-1' WHERE id = $1", [c.coach.person_id.into()]).await;
    file += "STAFF-1,Staff,,Active,\nshort,row\n";
    let id = prepared(&c, &file).await;
    let import = page(&c, id).await;
    assert_eq!(fields(&import), ["school_id", "last_name", "primary_email", "program_status", ""]);
    let counted = import.counted.unwrap();
    assert_eq!(
        (counted.lines, counted.new, counted.changed, counted.unchanged, counted.repeated, counted.unreadable),
        (711, 700, 2, 2, 1, 6),
        "{:?}",
        counted.causes
    );
    let causes: Vec<(u64, u64)> = counted.causes.iter().map(|cause| (cause.lines, cause.first)).collect();
    assert_eq!((causes[0], causes.len(), causes.iter().map(|(lines, _)| lines).sum::<u64>()), ((2, 708), 5, 6));
    assert_eq!(counted.first[2].what, LineOutcome::Changed);
    let told: Vec<_> = counted.first[2].changes.iter().map(told).collect();
    assert_eq!(told, ["Program status: Active → Inactive"]);
    assert_eq!(
        c.count("SELECT COUNT(*) FROM person WHERE school_id LIKE 'N-%'", []).await,
        0,
        "nothing has happened yet"
    );

    let task = imported(&c, id, None).await.unwrap();
    assert_eq!(task, id);
    assert_eq!(imported(&c, id, None).await.unwrap(), id, "a second click is the same task");
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.title.as_str(), row.state), ("Import roster.csv", TaskState::DoneWithProblems));
    let (done, unchanged, failed) = (counted.people(), counted.unchanged, counted.unreadable);
    assert_eq!(
        (row.total, row.succeeded, row.skipped, row.failed),
        (Some(counted.lines), done, unchanged + counted.repeated, failed)
    );
    let made = "SELECT COUNT(*) FROM task_person WHERE task_id = $1 AND after_value = 'Created'";
    assert_eq!(c.count(made, [task.into()]).await, counted.new.cast_signed());
    // Line by line.
    let query = LedgerQuery { limit: Some(200), outcome: "FAILED".parse().ok(), ..LedgerQuery::default() };
    let failed = c.caseload.tasks().ledger(&c.administrator, task, &query).await.unwrap().items;
    let unreadable = counted.examples.iter().filter(|line| line.what == LineOutcome::Unreadable);
    assert_eq!(
        unreadable.map(|line| (line.line.cast_signed(), line.detail.clone())).collect::<Vec<_>>(),
        failed.iter().map(|line| (line.position, line.reason_label.clone().unwrap())).collect::<Vec<_>>()
    );
    c.assert_one_open_status().await;
}

async fn an_empty_cell_that_would_delete_an_email_is_said_before_it_runs(on: On) {
    let c = College::of(on, 4).await;
    let ids = c.students(&c.manager).await;
    let mut file = "School ID,Last name,Email,Private email\n".to_owned();
    for (n, id) in ids.iter().enumerate() {
        let row = c.caseload.people().get(&c.manager, *id).await.unwrap().row;
        let (id, email) = (row.school_id.unwrap(), row.primary_email.unwrap_or_default());
        let last = row.name.split(", ").next().unwrap().to_owned();
        writeln!(file, "{id},{last},{},", if n == 0 { email.as_str() } else { "" }).unwrap();
    }
    c.write("UPDATE person SET secondary_email = NULL WHERE student", []).await;
    file += "N-1,Newcomer,,\n";
    let id = prepared(&c, &file).await;
    let counted = page(&c, id).await.counted.unwrap();
    assert_eq!((counted.changed, counted.unchanged, counted.new), (3, 1, 1));
    let emptied: Vec<_> = counted.emptied.iter().map(|of| (of.field.as_str(), of.people, of.first)).collect();
    assert_eq!(emptied, [("Primary email", 3, 3)], "who had none and who is new loses nothing");
    let change = &counted.first[1].changes[0];
    assert!(change.is_emptied && change.before.contains('@') && change.after.is_empty(), "{change:?}");
    imported(&c, id, None).await.unwrap();
    c.run().await;
    let lost = "SELECT COUNT(*) FROM person WHERE student AND primary_email IS NULL AND school_id <> 'N-1'";
    assert_eq!(c.count(lost, []).await, 3, "and that is what happens");
}

async fn a_change_of_status_is_told_first_however_much_else_changes(on: On) {
    let c = College::of(on, 1).await;
    let known = c.students(&c.manager).await[0];
    c.write("UPDATE person SET middle_name = 'Q', secondary_email = 'old@a.example' WHERE id = $1", [known.into()])
        .await;
    let id = c.caseload.people().get(&c.manager, known).await.unwrap().row.school_id.unwrap();
    let extra: Vec<String> = (0..12).map(|n| format!("Extra {n}")).collect();
    let names = "School ID,Surname,Forename,Middle name,Email,Private email,Status";
    let file = format!("{names},{}\n{id},Abara,Chi,Ada,new@a.example,,Inactive{}\n", extra.join(","), ",x".repeat(12));
    let id = prepared(&c, &file).await;
    let extra: Vec<(String, &str)> = (7..19).map(|place| (format!("f{place}"), "extra")).collect();
    let extra: Vec<(&str, &str)> = extra.iter().map(|(field, kind)| (field.as_str(), *kind)).collect();
    let line = choose(&c, id, &extra).await.counted.unwrap().first.remove(0);
    let said: Vec<String> = line.changes.iter().map(told).collect();
    assert_eq!(said[..2], ["Program status: Active → Inactive", "Secondary email: old@a.example →  (emptied)"]);
    assert_eq!(said.len() as u64 + line.untold, 18, "what is not told is counted");
}

async fn of_several_lines_of_a_person_the_one_counts_that_was_chosen(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "ID,Surname,When\nM-1,Early,2013\nM-1,Late,2015\nM-1,Middle,2014\nM-2,Alone,2013\n").await;
    assert_eq!(page(&c, id).await.counted.unwrap().repeated, 2, "unless somebody says otherwise");
    let import = choose(&c, id, &[("keep", "latest"), ("keepBy", "")]).await;
    assert_eq!((import.wrong[0].field.as_str(), import.keep.as_str()), ("keepBy", "latest"));
    let import = choose(&c, id, &[("f2", ""), ("keep", "latest"), ("keepBy", "2")]).await;
    assert_eq!((import.wrong, import.keep_by), (vec![], Some(2)));
    let counted = import.counted.unwrap();
    assert_eq!((counted.new, counted.outranked, counted.unreadable, counted.lines), (2, 2, 0, 4));
    let task = imported(&c, id, None).await.unwrap();
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.succeeded, row.skipped, row.failed), (2, 2, 0));
    let late = "SELECT COUNT(*) FROM person WHERE school_id = 'M-1' AND last_name = 'Late' AND start_term IS NULL";
    assert_eq!(c.count(late, []).await, 1);
}

async fn the_unreadable_lines_are_a_file_before_and_after_the_import(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id;last name;email\nL-1;Ek;\nL-2;=1+1;nowhere\nL-3;Li\nL-1;Ek;\n").await;
    choose(&c, id, &[("f2", "primary_email")]).await;
    let whole = async |mut lines: UnreadableLines| {
        let mut text = Vec::new();
        while let Some(part) = lines.next().await.unwrap() {
            text.extend(part);
        }
        String::from_utf8(text).unwrap()
    };
    let imports = c.caseload.imports();
    let before = whole(imports.unreadable(&c.administrator, id).await.unwrap()).await;
    let (wrong, short) = ("email: “nowhere” is not an email address", "2 cells, but the first line has 3");
    let names = "\"Line\",\"Reason\",\"id\",\"last name\",\"email\"\r\n";
    let lines = format!("\"3\",\"{wrong}\",\"L-2\",\"'=1+1\",\"nowhere\"\r\n\"4\",\"{short}\",\"L-3\",\"Li\"\r\n");
    assert_eq!(before, format!("{names}{lines}"));
    let other = Problem::from(imports.unreadable(&c.manager, id).await.err().unwrap());
    assert_eq!(other.status, 403);

    let task = imported(&c, id, None).await.unwrap();
    c.run().await;
    assert_eq!(whole(imports.failed_lines(&c.administrator, task).await.unwrap()).await, before);
    let downloaded = "SELECT COUNT(*) FROM audit WHERE action = 'ledger.download'";
    assert_eq!(c.count(downloaded, []).await, 1, "it is put down who took them");
    // The file goes by schedule, and what is wrong with which line is known still.
    c.caseload.files().delete_but(task, None).await.unwrap();
    let after = whole(imports.failed_lines(&c.administrator, task).await.unwrap()).await;
    assert_eq!(after, format!("\"Line\",\"Reason\"\r\n\"3\",\"{wrong}\"\r\n\"4\",\"{short}\"\r\n"));
}

async fn a_birth_date_in_the_future_is_unreadable_by_the_days_of_whoever_imports(on: On) {
    let c = College::of(on, 1).await;
    let administrator_in = async |time_zone: &str| {
        let (theme, dates, numbers) = ("dark", "dots", "apostrophe");
        let chosen = ChosenPreferences { theme, dates, numbers, time_zone, ..ChosenPreferences::default() };
        c.caseload.accounts().set_preferences(&c.administrator, chosen).await.unwrap();
        c.at_next_request(c.administrator.person_id, c.administrator.session_version).await.unwrap()
    };
    let now = c.test.db.now().await.unwrap();
    let today = now.with_timezone(&chrono_tz::Pacific::Kiritimati).date_naive();
    let file = format!("ID,Surname,Birth date\nB-1,Ek,2004-02-29\nB-2,Li,{today}\n");
    let counted = async |actor: &caseload::Actor| {
        let upload = uploaded(&c, &file).await;
        let id = c.caseload.imports().prepare(actor, "roster.csv", upload).await.unwrap();
        (id, c.caseload.imports().prepared(actor, id).await.unwrap().counted.unwrap())
    };
    // Where it is a day earlier.
    let west = administrator_in("Etc/GMT+12").await;
    let (id, count) = counted(&west).await;
    assert_eq!((count.new, count.unreadable), (1, 1));
    let wrong = format!("Birth date: “{today}” is in the future");
    assert_eq!((count.causes[0].first, count.causes[0].reason.as_str()), (3, wrong.as_str()));
    c.caseload.imports().import_prepared(&west, id, &[], None).await.unwrap();
    c.run().await;
    let lines = c.caseload.tasks().ledger(&west, id, &LedgerQuery::default()).await.unwrap().items;
    assert_eq!(lines.iter().map(|line| line.reason_label.as_deref()).collect::<Vec<_>>(), [None, Some(wrong.as_str())]);

    let east = administrator_in("Pacific/Kiritimati").await;
    let (id, count) = counted(&east).await;
    assert_eq!((count.new, count.unchanged, count.unreadable), (1, 1, 0));
    c.caseload.imports().import_prepared(&east, id, &[], None).await.unwrap();
    c.run().await;
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = 'B-2' AND birth_date IS NOT NULL", []).await, 1);
}

async fn whoever_is_added_by_a_file_is_nobodys_coach_in_it_before_or_after_their_line(on: On) {
    let c = College::of(on, 1).await;
    c.write("UPDATE person SET school_id = 'STAFF-1' WHERE id = $1", [c.coach.person_id.into()]).await;
    // Far more than are written at once stand between the new one and those who name them.
    let between: String = (0..1_200).map(|n| format!("B-{n},Between,STAFF-1,{}\n", "x".repeat(300))).collect();
    let file = format!("id,last name,coach,note\nA-1,Before,NEW-1,\nNEW-1,New,STAFF-1,\n{between}A-2,After,NEW-1,\n");
    let id = prepared(&c, &file).await;
    let import = choose(&c, id, &[("f2", "coach")]).await;
    let counted = import.counted.unwrap();
    assert_eq!((counted.new, counted.unreadable), (1_201, 2), "{:?}", counted.causes);
    let why = "coach: no member of staff has the school ID “NEW-1”, and a file adds none";
    assert_eq!((counted.causes[0].lines, counted.causes[0].reason.as_str()), (2, why));
    let task = imported(&c, id, None).await.unwrap();
    c.run().await;
    let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
    assert_eq!((row.succeeded, row.failed), (1_201, 2));
}

async fn of_a_long_file_the_first_lines_are_counted(on: On) {
    let c = College::of(on, 1).await;
    let mut file = "id,name\n".to_owned();
    for n in 0..20_100 {
        writeln!(file, "L-{n},Long").unwrap();
    }
    let import = page(&c, prepared(&c, &file).await).await;
    let counted = import.counted.unwrap();
    assert_eq!((import.file.rows, counted.lines, counted.new), (20_100, 20_000, 20_000));
    assert_eq!((counted.first.len(), counted.examples.len()), (50, 100), "what is kept has an end");
}
