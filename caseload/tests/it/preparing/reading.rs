//! How a file is read: its separators, its dates, its quotes, and what is no list of people.

use super::*;

testkit::on_both!(
    a_date_is_read_in_the_order_that_was_chosen,
    a_file_with_semicolons_or_tabs_is_read_as_such_and_imported_as_it_was_read,
    a_quote_that_never_closes_is_named_with_its_line,
    the_line_of_an_open_quote_is_shown_however_many_are_unreadable_before_it,
    what_is_no_list_of_people_is_refused_with_what_to_do,
);

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
    let unreadable = ",Nobody\n".repeat(130);
    let id = prepared(&c, &format!("id,last name\n{unreadable}Q-2,\"Li\nQ-3,Moe\n")).await;
    let counted = page(&c, id).await.counted.unwrap();
    assert_eq!(counted.unread, Some(UnreadLines { line: 132, rest: 1 }));
    let broken = counted.examples.iter().find(|line| line.line == 132).unwrap();
    assert!(broken.name.starts_with("Q-2 · Li"), "{}", broken.name);
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
