//! A file is prepared before it is imported: its columns are guessed, what would happen is counted, and that is what then happens.

use std::{fmt::Write, sync::Arc, time::Duration};

use caseload::{
    Limits,
    import::UnreadableLines,
    mail::Mail,
    prune::{PruneFiles, PruneUnused},
};
use model::{
    LedgerQuery, MatchingId, Problem, TaskId, TaskState,
    import::{DateForm, FieldChange, LineOutcome, PreparedImport, Separator, Sure, UnreadLines},
};
use queue::{
    lock::{LockRequest, Locks, MemoryLocks},
    schedule::Work,
};
use testkit::On;

use crate::{college::College, importing::uploaded};

testkit::on_both!(
    columns_are_guessed_by_their_names_and_by_what_is_in_them,
    what_is_counted_is_what_the_import_then_does,
    an_empty_cell_that_would_delete_an_email_is_said_before_it_runs,
    a_change_of_status_is_told_first_however_much_else_changes,
    a_date_is_read_in_the_order_that_was_chosen,
    of_several_lines_of_a_person_the_one_counts_that_was_chosen,
    of_a_long_file_the_first_lines_are_counted,
    a_file_with_semicolons_or_tabs_is_read_as_such_and_imported_as_it_was_read,
    a_quote_that_never_closes_is_named_with_its_line,
    the_line_of_an_open_quote_is_shown_however_many_are_unreadable_before_it,
    the_unreadable_lines_are_a_file_before_and_after_the_import,
    whoever_is_added_by_a_file_is_nobodys_coach_in_it_before_or_after_their_line,
    a_matching_is_kept_under_a_name_and_fits_the_next_file_with_the_same_columns,
    a_status_that_needs_a_reason_gets_it_beside_its_value,
    a_value_that_nobody_knows_is_matched_on_the_page_and_not_in_the_file,
    what_is_shown_of_lines_are_the_columns_that_are_matched,
    a_file_that_was_imported_leads_to_its_task,
    what_is_wrong_is_said_and_nothing_that_was_chosen_is_lost,
    what_is_no_list_of_people_is_refused_with_what_to_do,
    a_file_that_is_not_imported_goes,
    whoever_is_erased_comes_back_with_no_file_that_is_being_prepared,
    a_prepared_file_is_its_owners,
    matchings_beyond_those_that_may_be_saved_are_refused,
);

async fn prepared(c: &College, file: &str) -> TaskId {
    let upload = uploaded(c, file).await;
    c.caseload.imports().prepare(&c.administrator, "roster.csv", upload).await.unwrap()
}

async fn page(c: &College, id: TaskId) -> PreparedImport {
    c.caseload.imports().prepared(&c.administrator, id).await.unwrap()
}

async fn choose(c: &College, id: TaskId, pairs: &[(&str, &str)]) -> PreparedImport {
    c.caseload.imports().choose(&c.administrator, id, &owned(pairs)).await.unwrap();
    page(c, id).await
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

async fn imported(c: &College, id: TaskId, name: Option<&str>) -> Result<TaskId, Problem> {
    let task = c.caseload.imports().import_prepared(&c.administrator, id, &[], name).await;
    task.map(|task| task.id).map_err(Problem::from)
}

fn told(change: &FieldChange) -> String {
    format!(
        "{}: {} → {}{}",
        change.field,
        change.before,
        change.after,
        if change.is_emptied { " (emptied)" } else { "" }
    )
}

/// The fields that the columns are matched to.
fn fields(import: &PreparedImport) -> Vec<&str> {
    import.columns.iter().map(|column| column.field.as_deref().unwrap_or("-")).collect()
}

async fn columns_are_guessed_by_their_names_and_by_what_is_in_them(on: On) {
    let c = College::of(on, 8).await;
    c.write("UPDATE person SET home_campus = 'Riverside' WHERE student", []).await;
    let ids = c.students(&c.manager).await;
    let known = c.caseload.people().get(&c.manager, ids[0]).await.unwrap().row.school_id.unwrap();
    let mut file =
        "Kennung,Surname,Forename,E-mail,Private email,Where,State,Born,Tutor code,Coach,,Twice,Twice\n".to_owned();
    for n in 0..10 {
        let id = if n < 5 { known.to_string().replace('1', &n.to_string()) } else { known.to_string() };
        writeln!(
            file,
            "{id},Abara,Chi,c{n}@a.example,d{n}@b.example,Riverside,No show,{:02}/03/2004,T-{n},coach,,1,2",
            n + 10
        )
        .unwrap();
    }
    let import = page(&c, prepared(&c, &file).await).await;
    assert_eq!(
        fields(&import),
        [
            "school_id",
            "last_name",
            "first_name",
            "primary_email",
            "secondary_email",
            "home_campus",
            "program_status",
            "birth_date",
            "",
            "",
            "-",
            "-",
            "-"
        ]
    );
    let sure: Vec<Sure> = import.columns.iter().map(|column| column.sure).collect();
    assert_eq!(sure[..2], [Sure::Likely, Sure::Sure]);
    assert_eq!((sure[5], sure[7], sure[8]), (Sure::Likely, Sure::Likely, Sure::No));
    assert_eq!(import.columns[3].why, "All 10 values are email addresses");
    assert_eq!(import.columns[5].why, "All values are campuses in Docket");
    assert_eq!(import.columns[6].values[0].means, "NO_SHOW");
    assert_eq!(import.columns[7].dates, Some(DateForm::DayFirst), "the 13th is no month");
    assert!(import.columns[9].why.starts_with("Coaches are matched by school ID"), "{:?}", import.columns[9]);
    assert_eq!(import.columns[0].samples.len(), 3);
    assert!(import.counted.is_some() && import.wrong.is_empty(), "what was guessed is counted");
}

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

async fn a_date_is_read_in_the_order_that_was_chosen(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "ID,Surname,DOB\nD-1,Abara,03/04/2004\nD-2,Aguilar,05/06/2004\n").await;
    let import = page(&c, id).await;
    assert_eq!((import.columns[2].sure, import.columns[2].dates), (Sure::Check, Some(DateForm::DayFirst)));
    assert_eq!(import.new_status.as_deref(), Some("ACTIVE"), "no column says it");
    let import = choose(&c, id, &[("d2", "year_first")]).await;
    assert_eq!(import.counted.unwrap().unreadable, 2);
    let import = choose(&c, id, &[("d2", "month_first"), ("newStatus", "NO_SHOW")]).await;
    assert_eq!(import.counted.unwrap().new, 2);
    imported(&c, id, None).await.unwrap();
    c.run().await;
    let read = "SELECT COUNT(*) FROM person WHERE birth_date = '2004-03-04' AND program_status = 'NO_SHOW'";
    assert_eq!(c.count(read, []).await, 1);
    c.assert_one_open_status().await;
    // Whoever is there keeps their status.
    c.write("UPDATE person SET program_status = 'INACTIVE' WHERE school_id = 'D-1'", []).await;
    let id = prepared(&c, "ID,Surname\nD-1,Abara\nD-2,Other\n").await;
    let counted = page(&c, id).await.counted.unwrap();
    assert_eq!((counted.unchanged, counted.changed), (1, 1));
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

async fn a_file_with_semicolons_or_tabs_is_read_as_such_and_imported_as_it_was_read(on: On) {
    let c = College::of(on, 1).await;
    for (number, (sign, separator)) in [(';', Separator::Semicolon), ('\t', Separator::Tab)].into_iter().enumerate() {
        // By commas a quote within a cell is none, and this file has a line more.
        let file = format!("id;last name;note\nS{number}-1;Ek;\"two\nlines; of it\"\nS{number}-2;Li, Bo;1,5\n");
        let id = prepared(&c, &file.replace(';', &sign.to_string())).await;
        let import = page(&c, id).await;
        assert_eq!((import.separator, import.is_separator_chosen, import.file.rows), (separator, false, 2));
        assert_eq!(fields(&import), ["school_id", "last_name", ""]);
        assert_eq!(import.counted.as_ref().map(|counted| (counted.lines, counted.new)), Some((2, 2)));

        // By another one it is one column, and by its own again it is what it was.
        let other = choose(&c, id, &[("separator", "comma"), ("f0", "school_id")]).await;
        assert_eq!((other.separator, other.is_separator_chosen), (Separator::Comma, true));
        assert!(other.columns.len() < 3 && !other.wrong.is_empty() && other.counted.is_none());
        let again = choose(&c, id, &[("separator", separator.name())]).await;
        assert_eq!((again.separator, again.file.rows, fields(&again)), (separator, 2, fields(&import)));
        let task = imported(&c, id, None).await.unwrap();
        c.run().await;
        let row = c.caseload.tasks().get(&c.administrator, task).await.unwrap().row;
        assert_eq!((row.total, row.succeeded, row.failed), (Some(2), 2, 0), "{file}");
    }
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE last_name = 'Li, Bo'", []).await, 2);
    let (id, other) = (prepared(&c, "id,last\n1,Ek\n").await, owned(&[("separator", "bar")]));
    let refused = Problem::from(c.caseload.imports().choose(&c.administrator, id, &other).await.unwrap_err());
    assert_eq!(refused.message_for("separator"), Some("Choose one of the options."));
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

async fn a_quote_that_never_closes_is_named_with_its_line(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,last name\nQ-1,Ek\nQ-2,\"Li\nQ-3,Moe\n").await;
    let counted = page(&c, id).await.counted.unwrap();
    assert_eq!((counted.lines, counted.new, counted.unreadable), (2, 1, 1));
    assert_eq!(counted.unread, Some(UnreadLines { line: 3, rest: 1 }), "a file of 43 lines had a sum of 2");
    assert_eq!(counted.causes[0].reason, "the quote that opens in line 3 is never closed, so nothing after it is read");
    let task = imported(&c, id, None).await.unwrap();
    c.run().await;
    let lines = c.caseload.tasks().ledger(&c.administrator, task, &LedgerQuery::default()).await.unwrap().items;
    assert_eq!(
        lines[1].reason_label.as_deref(),
        Some("the quote that opens in line 3 is never closed, so nothing after it is read")
    );
}

/// Of many unreadable lines the first ones are kept to be shown, and this is the last.
async fn the_line_of_an_open_quote_is_shown_however_many_are_unreadable_before_it(on: On) {
    let c = College::of(on, 1).await;
    let unreadable = ",Nobody\n".repeat(30);
    let id = prepared(&c, &format!("id,last name\n{unreadable}Q-2,\"Li\nQ-3,Moe\n")).await;
    let counted = page(&c, id).await.counted.unwrap();
    assert_eq!(counted.unread, Some(UnreadLines { line: 32, rest: 1 }));
    let broken = counted.examples.iter().find(|line| line.line == 32).unwrap();
    assert!(broken.name.starts_with("Q-2 · Li"), "{}", broken.name);
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
    assert_eq!((counted.first.len(), counted.examples.len()), (50, 20), "what is kept has an end");
}

async fn a_matching_is_kept_under_a_name_and_fits_the_next_file_with_the_same_columns(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "Key,Who,State\nK-1,Abara,on\n").await;
    let import = choose(&c, id, &[("f0", "school_id"), ("f1", "last_name"), ("f2", "program_status")]).await;
    assert_eq!(import.columns[2].values[0].means, "", "nobody has said what “on” means");
    assert_eq!(import.counted.unwrap().unreadable, 1);
    let import = choose(&c, id, &[("m2.0", "ACTIVE")]).await;
    assert_eq!((import.columns[2].sure, import.counted.unwrap().new), (Sure::Chosen, 1));
    let unnamed = imported(&c, id, Some("  ")).await.unwrap_err();
    assert!(unnamed.message_for("matchingName").is_some(), "{unnamed}");
    imported(&c, id, Some(" Registry   roster ")).await.unwrap();

    let same = page(&c, prepared(&c, "Who,Key,State\nAguilar,K-2,on\n").await).await;
    assert_eq!(fields(&same), ["last_name", "school_id", "program_status"], "whatever their order");
    assert_eq!((same.start, same.saved[0].name.as_str()), (Some(same.saved[0].id), "Registry roster"));
    assert_eq!(same.counted.unwrap().new, 1);
    let (other, saved) = (prepared(&c, "Key,Who,More\nK-3,Ahlgren,x\n").await, same.saved[0].id);
    assert_eq!(page(&c, other).await.start, None, "another column is another file");
    c.caseload.imports().start_from(&c.administrator, other, Some(saved)).await.unwrap();
    let import = page(&c, other).await;
    assert_eq!((fields(&import), import.start), (vec!["school_id", "last_name", ""], Some(saved)));
    c.caseload.imports().start_from(&c.administrator, other, None).await.unwrap();
    assert_eq!(fields(&page(&c, other).await)[0], "", "as it was guessed");
    c.caseload.imports().forget_matching(&c.administrator, saved).await.unwrap();
    assert_eq!(page(&c, other).await.saved, []);
    let gone = c.caseload.imports().start_from(&c.administrator, other, Some(MatchingId::from_u128(1))).await;
    assert_eq!(Problem::from(gone.unwrap_err()).status, 404);
}

const NO_REASON: &str =
    "Non-participating needs a reason. Choose one beside the value, or match a column to “Reason of the status”";

async fn a_status_that_needs_a_reason_gets_it_beside_its_value(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,name,Result,Why\nR-1,Abara,Fail,\nR-2,Aguilar,Pass,HEALTH\n").await;
    let matched = [("f2", "program_status"), ("f3", ""), ("m2.0", "NON_PARTICIPATING"), ("m2.1", "ACTIVE")];
    let import = choose(&c, id, &matched).await;
    let reasons =
        |import: &PreparedImport| import.columns[2].values.iter().map(|value| value.reason.clone()).collect::<Vec<_>>();
    let asked = |import: &PreparedImport| {
        import.columns[2].values.iter().map(|value| (value.reason.is_some(), value.needs_reason)).collect::<Vec<_>>()
    };
    assert_eq!(reasons(&import), [Some(String::new()), Some(String::new())]);
    assert_eq!(asked(&import), [(true, true), (true, false)], "one can be chosen before it is counted anew");
    let counted = import.counted.unwrap();
    assert_eq!((counted.unreadable, counted.new), (1, 1));
    assert_eq!((counted.causes[0].reason.as_str(), counted.causes[0].is_of_matching), (NO_REASON, true));

    let odd = c.caseload.imports().choose(&c.administrator, id, &owned(&[("r2.0", "BOREDOM")])).await;
    assert!(Problem::from(odd.unwrap_err()).message_for("r2.0").is_some());
    let import = choose(&c, id, &[("r2.0", "HEALTH"), ("r2.1", "HEALTH")]).await;
    assert_eq!(reasons(&import), [Some("HEALTH".to_owned()), Some(String::new())], "the other needs none");
    assert_eq!(import.counted.unwrap().new, 2);
    // A column that has the reasons takes their place, and gives it back.
    let import = choose(&c, id, &[("f3", "change_reason")]).await;
    assert_eq!(reasons(&import), [None, None]);
    assert_eq!(asked(&import), [(false, false), (false, false)]);
    let causes = import.counted.unwrap().causes;
    assert_eq!(causes[0].reason, "Why: Non-participating needs a reason");
    assert!(!causes[0].is_of_matching, "it is the file that lacks it");
    choose(&c, id, &[("f3", ""), ("r2.0", "HEALTH")]).await;
    imported(&c, id, Some("Results")).await.unwrap();
    c.run().await;
    let so =
        "SELECT COUNT(*) FROM person WHERE school_id = $1 AND program_status = $2 AND COALESCE(change_reason, '') = $3";
    assert_eq!(c.count(so, ["R-1".into(), "NON_PARTICIPATING".into(), "HEALTH".into()]).await, 1);
    assert_eq!(c.count(so, ["R-2".into(), "ACTIVE".into(), "".into()]).await, 1);

    let next = page(&c, prepared(&c, "id,name,Result,Why\nR-3,Ahlgren,Fail,\n").await).await;
    assert_eq!(reasons(&next), [Some("HEALTH".to_owned())], "it is kept with the matching");
    assert_eq!(next.counted.unwrap().new, 1);
}

async fn a_value_that_nobody_knows_is_matched_on_the_page_and_not_in_the_file(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,name,Result\nU-1,Abara,Fail\nU-2,,Fail\n").await;
    let causes = choose(&c, id, &[("f2", "program_status")]).await.counted.unwrap().causes;
    let said: Vec<_> = causes.iter().map(|cause| (cause.reason.as_str(), cause.is_of_matching)).collect();
    let unknown = "Result: “Fail” is not a known value. Match it under “Result”";
    assert_eq!(said, [(unknown, true), ("name: the last name is missing", false)]);
    let of_value = causes[0].unknown.as_ref().map(|of| [&of.column, &of.field, &of.value].map(String::as_str));
    assert_eq!(of_value, Some(["Result", "Program status", "Fail"]));
    assert_eq!(causes[1].unknown, None);
}

async fn what_is_shown_of_lines_are_the_columns_that_are_matched(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,name,email,status\nF-1,Abara,a@students.example,Active\n").await;
    let counted = page(&c, id).await.counted.unwrap();
    assert_eq!(counted.facts.iter().map(|fact| fact.label()).collect::<Vec<_>>(), ["Status", "Email"]);
    assert_eq!(counted.first[0].facts, ["Active", "a@students.example"]);
}

async fn a_file_that_was_imported_leads_to_its_task(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,name\nT-1,Abara\n").await;
    let became =
        async |actor| c.caseload.imports().became_task(actor, id).await.map_err(|error| Problem::from(error).status);
    assert_eq!(became(&c.administrator).await, Ok(None));
    imported(&c, id, None).await.unwrap();
    assert_eq!(became(&c.administrator).await, Ok(Some(id)));
    assert_eq!(became(&c.manager).await, Err(403));
}

async fn what_is_wrong_is_said_and_nothing_that_was_chosen_is_lost(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "One,Two,Three\n1,2,3\n").await;
    let wrong = |import: &PreparedImport| import.wrong.iter().map(|wrong| wrong.field.clone()).collect::<Vec<_>>();
    let import = page(&c, id).await;
    assert_eq!((wrong(&import), import.counted), (vec!["school_id".to_owned(), "last_name".to_owned()], None));
    let import = choose(&c, id, &[("f0", "school_id"), ("f1", "last_name"), ("f2", "last_name")]).await;
    assert_eq!(wrong(&import), ["f2"]);
    assert_eq!(import.wrong[0].message, "Last name is matched to “Two” and “Three”. Keep one of them.");
    assert_eq!(fields(&import), ["school_id", "last_name", "last_name"]);
    assert!(imported(&c, id, None).await.is_err(), "what was not counted is not imported");
    let odd = c.caseload.imports().choose(&c.administrator, id, &owned(&[("f2", "password")])).await;
    assert!(Problem::from(odd.unwrap_err()).message_for("f2").is_some());
    let import = choose(&c, id, &[("f2", "extra"), ("f99", "school_id"), ("m0.7", "x"), ("é", "x")][..2]).await;
    assert_eq!(import.counted.unwrap().new, 1);
    // A matching that was not seen counted is counted first.
    let changed = c.caseload.imports().import_prepared(&c.administrator, id, &owned(&[("f2", "")]), None).await;
    assert!(Problem::from(changed.unwrap_err()).message_for("matching").is_some());
    assert_eq!(fields(&page(&c, id).await), ["school_id", "last_name", ""]);
    imported(&c, id, None).await.unwrap();
    c.run().await;
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = '1' AND extra = '{}'", []).await, 1);
}

async fn what_is_no_list_of_people_is_refused_with_what_to_do(on: On) {
    let c = College::of(on, 1).await;
    let refused = async |file: &str| {
        let upload = uploaded(&c, file).await;
        let refused = c.caseload.imports().prepare(&c.administrator, "x.csv", upload).await;
        let problem = Problem::from(refused.unwrap_err());
        problem.message_for("file").unwrap().to_owned()
    };
    let wide = (0..201).map(|n| format!("c{n}")).collect::<Vec<_>>().join(",");
    for (file, said) in [
        ("", "x.csv is empty. Choose a file with column names and lines."),
        ("id,name\n", "Choose a file with lines."),
        (",,\n1,2,3\n", "no column names"),
        ("id|name\n1|2\n", "separated by bars"),
        ("id,\"name\n1,2\n", "the quote that opens in line 1 is never closed, so nothing after it is read"),
        ("PK\u{3}\u{4}\0\0\n1\n", "This is not a CSV file"),
        (&format!("{wide}\n1\n"), "201 columns"),
    ] {
        let told = refused(file).await;
        assert!(told.contains(said), "{file:?}: {told}");
    }
    assert!(c.caseload.files().tasks().await.unwrap().is_empty(), "nothing is left of what was refused");
    assert_eq!(c.count("SELECT COUNT(*) FROM prepared_import", []).await, 0);
}

async fn a_file_that_is_not_imported_goes(on: On) {
    let limits = Limits { prepared_imports: 2, ..Limits::default() };
    let c = College::within(on, 1, Mail::none(), limits).await;
    let mut ids = Vec::new();
    for n in 0..3 {
        ids.push(prepared(&c, &format!("id,name\nG-{n},Gone\n")).await);
        c.test.clock.advance(Duration::from_secs(1));
    }
    let kept = async || {
        let listed = c.caseload.imports().prepared_files(&c.administrator).await.unwrap();
        let mut listed: Vec<TaskId> = listed.into_iter().map(|file| file.id).collect();
        listed.sort();
        let mut stored = c.caseload.files().tasks().await.unwrap();
        stored.sort();
        assert_eq!(listed, stored);
        listed
    };
    assert_eq!(kept().await, ids[1..], "the newest take the place of the oldest");
    c.caseload.imports().discard(&c.administrator, ids[1]).await.unwrap();
    assert_eq!(kept().await, ids[2..]);
    fire(&c).await;
    assert_eq!(kept().await, ids[2..], "it is not a day old");
    c.test.clock.advance(Duration::from_secs(86_400));
    assert!(c.caseload.imports().prepared(&c.administrator, ids[2]).await.is_err());
    assert!(imported(&c, ids[2], None).await.is_err());
    fire(&c).await;
    assert_eq!(kept().await, []);
    assert_eq!(c.count("SELECT COUNT(*) FROM prepared_import", []).await, 0);
}

async fn fire(c: &College) {
    let locks = Locks::new(Arc::new(MemoryLocks::new(c.test.clock.clone())), "test");
    let lock = locks.try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
    PruneUnused::new(c.test.db.clone()).fire(&lock).await.unwrap();
    PruneFiles::new(c.test.db.clone(), c.caseload.files().clone()).fire(&lock).await.unwrap();
}

async fn whoever_is_erased_comes_back_with_no_file_that_is_being_prepared(on: On) {
    let c = College::of(on, 2).await;
    let person = c.students(&c.manager).await[0];
    let school_id = c.caseload.people().get(&c.manager, person).await.unwrap().row.school_id.unwrap();
    let id = prepared(&c, &format!("School ID,Last name\n{school_id},Erased\n")).await;
    c.caseload.people().erase(&c.administrator, person, school_id.as_str(), Some("asked for it")).await.unwrap();
    assert!(imported(&c, id, None).await.is_err());
    assert!(c.caseload.files().tasks().await.unwrap().is_empty());
    assert_eq!(c.count("SELECT COUNT(*) FROM prepared_import", []).await, 0);
}

async fn a_prepared_file_is_its_owners(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,name\nO-1,Own\n").await;
    for other in [&c.coach, &c.manager] {
        let imports = c.caseload.imports();
        assert_eq!(Problem::from(imports.prepared(other, id).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.choose(other, id, &[]).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.discard(other, id).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.import_prepared(other, id, &[], None).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.prepared_files(other).await.unwrap_err()).status, 403);
    }
    let other = caseload::Actor { person_id: c.manager.person_id, ..c.administrator.clone() };
    let imports = c.caseload.imports();
    assert_eq!(Problem::from(imports.prepared(&other, id).await.unwrap_err()).status, 404);
    assert_eq!(Problem::from(imports.import_prepared(&other, id, &[], None).await.unwrap_err()).status, 404);
    assert_eq!(Problem::from(imports.discard(&other, id).await.unwrap_err()).status, 404);
    assert!(page(&c, id).await.counted.is_some());
}

async fn matchings_beyond_those_that_may_be_saved_are_refused(on: On) {
    let limits = Limits { matchings: 1, ..Limits::default() };
    let c = College::within(on, 1, Mail::none(), limits).await;
    for (n, name) in [(0, "First"), (1, "First"), (2, "Second")] {
        let id = prepared(&c, &format!("id,name\nS-{n},Saved\n")).await;
        let imported = imported(&c, id, Some(name)).await;
        assert_eq!(imported.is_ok(), n < 2, "{name}");
        if let Err(problem) = imported {
            assert_eq!((problem.status, problem.message_for("matchingName").is_some()), (429, true));
            assert!(page(&c, id).await.counted.is_some(), "the file is still there");
        }
    }
}
