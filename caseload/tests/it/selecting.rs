//! Selections cross pages and are nobody else's.

use std::time::Duration;

use model::{PersonId, Problem, ProgramStatus, SelectionRequest, Total};
use testkit::On;

use crate::college::{College, everyone, school_ids, with_status};

testkit::on_both!(
    ticks_of_one_page_leave_those_of_another,
    everyone_who_matches_less_a_few,
    a_selection_is_its_owners_and_does_not_last,
    nobody_drops_the_selection_of_somebody_else,
    school_ids_are_found_however_they_are_typed,
    school_ids_that_are_not_found_keep_their_order,
);

fn join(ids: &[PersonId]) -> String {
    ids.iter().map(PersonId::to_string).collect::<Vec<_>>().join(",")
}

async fn ticks_of_one_page_leave_those_of_another(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.manager).await;
    let page = async |token, shown: &[PersonId], ticked: &[PersonId]| {
        let request = SelectionRequest { token, shown: join(shown), ticked: join(ticked) };
        c.caseload.selections().select_shown(&c.manager, &request).await.unwrap()
    };
    let first = page(None, &ids[..3], &ids[..2]).await;
    let token = Some(first.token);
    assert_eq!((first.count, first.ticked.clone()), (2, ids[..2].to_vec()));
    let second = page(token, &ids[3..], &ids[3..4]).await;
    assert_eq!((second.count, second.ticked.clone()), (3, ids[3..4].to_vec()));
    let unticked = page(token, &ids[..3], &ids[1..2]).await;
    assert_eq!((unticked.count, unticked.ticked), (2, ids[1..2].to_vec()));
}

async fn everyone_who_matches_less_a_few(on: On) {
    let c = College::of(on, 8).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..5], ProgramStatus::NoShow).await;
    let all = c.caseload.selections().select_matching(&c.manager, with_status(ProgramStatus::NoShow)).await.unwrap();
    assert_eq!((all.count, all.matching, all.everyone), (5, true, false));
    let request = SelectionRequest { token: Some(all.token), shown: join(&ids[..2]), ticked: join(&ids[1..2]) };
    let fewer = c.caseload.selections().select_shown(&c.manager, &request).await.unwrap();
    assert_eq!((fewer.count, fewer.ticked), (4, vec![ids[1]]));
    let size = c.caseload.selections().size(&c.manager, all.token).await.unwrap();
    assert_eq!(size, Total::exactly(fewer.count), "counted without its people");
    let whole = c.caseload.selections().select_matching(&c.manager, everyone()).await.unwrap();
    assert_eq!((whole.count, whole.everyone), (8, true));
}

async fn a_selection_is_its_owners_and_does_not_last(on: On) {
    let c = College::of(on, 2).await;
    let mine = c.caseload.selections().select_matching(&c.manager, everyone()).await.unwrap();
    let theirs = c.caseload.selections().get(&c.coach, mine.token, &[]).await.unwrap_err();
    assert_eq!(Problem::from(theirs).status, 404);
    assert!(c.caseload.selections().size(&c.coach, mine.token).await.is_err(), "nor how many they are");
    c.test.clock.advance(Duration::from_secs(1801));
    let gone = c.caseload.selections().get(&c.manager, mine.token, &[]).await.unwrap_err();
    assert_eq!(Problem::from(gone).code, "selection_gone");
}

async fn nobody_drops_the_selection_of_somebody_else(on: On) {
    let c = College::of(on, 6).await;
    let mine = c.caseload.selections().select_matching(&c.manager, everyone()).await.unwrap();
    c.caseload.selections().discard(&c.coach, mine.token).await.unwrap();
    assert_eq!(c.caseload.selections().get(&c.manager, mine.token, &[]).await.unwrap().count, 6);
    c.caseload.selections().discard(&c.manager, mine.token).await.unwrap();
    assert!(c.caseload.selections().get(&c.manager, mine.token, &[]).await.is_err());
}

async fn school_ids_are_found_however_they_are_typed(on: On) {
    let c = College::of(on, 4).await;
    let ids = c.students(&c.manager).await;
    for (id, school_id) in ids.iter().zip(["Kx-1", "Kx-2", "kx-2"]) {
        let sql = "UPDATE person SET school_id = $1, school_key = $2 WHERE id = $3";
        c.write(sql, [school_id.into(), school_id.to_lowercase().into(), (*id).into()]).await;
    }
    let given = school_ids(["KX-1", "kx-2", "KX-2"]);
    let (selection, unknown) = c.caseload.selections().select_school_ids(&c.manager, given).await.unwrap();
    assert_eq!((selection.count, unknown), (2, school_ids(["KX-2"])), "of two alike neither is guessed");
}

/// They came back sorted, so that nobody found them again in their own list.
async fn school_ids_that_are_not_found_keep_their_order(on: On) {
    let c = College::of(on, 1).await;
    let given = school_ids(["Z-9", "A-1", "Z-9", "M-5"]);
    let (_, unknown) = c.caseload.selections().select_school_ids(&c.manager, given).await.unwrap();
    assert_eq!(unknown, school_ids(["Z-9", "A-1", "M-5"]));
}
