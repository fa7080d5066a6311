//! Columns: which field each is matched to, and what its values mean.

use super::*;

testkit::on_both!(
    columns_are_guessed_by_their_names_and_by_what_is_in_them,
    a_matching_is_kept_under_a_name_and_fits_the_next_file_with_the_same_columns,
    a_status_that_needs_a_reason_gets_it_beside_its_value,
    a_value_that_nobody_knows_is_matched_on_the_page_and_not_in_the_file,
    what_is_shown_of_lines_are_the_columns_that_are_matched,
    matchings_beyond_those_that_may_be_saved_are_refused,
);

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
