//! Several rows of one person become one before anything is written, whatever their order in the file.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, btree_map::Entry},
};

use model::SchoolId;

use crate::{
    import::read::cells::Cells, import::rows::check, import::rows::checked_row::Row, import::rows::header_plan::Plan,
    import::rows::mapping::Keep,
};

/// The row that stands for each person so far.
#[derive(Default)]
pub struct Collapse {
    chosen: BTreeMap<SchoolId, (u64, Cells)>,
}

impl Collapse {
    /// Keeps the row if it is the first of its person or outranks the one that was kept.
    pub fn offer(&mut self, plan: &Plan, row: Row) {
        match self.chosen.entry(row.school_id) {
            Entry::Vacant(entry) => {
                entry.insert((row.line, row.cells));
            }
            Entry::Occupied(mut entry) if rank(plan, &row.cells, &entry.get().1).is_gt() => {
                entry.insert((row.line, row.cells));
            }
            Entry::Occupied(_) => {}
        }
    }

    /// The rows that stayed, by school id.
    pub fn into_rows(self) -> impl Iterator<Item = Row> + Send {
        self.chosen.into_iter().map(|(school_id, (line, cells))| Row { line, school_id, cells })
    }
}

/// The rules in their order, and at last the whole row: rows on which the rules agree must not be chosen by their order.
fn rank(plan: &Plan, one: &Cells, other: &Cells) -> Ordering {
    let by_rules = plan.rules.iter().map(|(column, keep)| {
        let (one, other) = (one.get(*column), other.get(*column));
        match keep {
            Keep::Latest => one.cmp(&other),
            Keep::Most => number(one).total_cmp(&number(other)),
        }
    });
    by_rules.fold(Ordering::Equal, Ordering::then).then_with(|| one.cmp(other))
}

fn number(cell: Option<&str>) -> f64 {
    cell.and_then(|cell| check::number(cell).ok()).unwrap_or(f64::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use csv::ByteRecord;

    use super::*;
    use crate::{import::Mapping, import::rows::checked_row};

    const ROWS: [[&str; 4]; 6] = [
        ["1", "2013B", "240", "AAA"],
        ["1", "2014J", "60", "BBB"],
        ["1", "2014J", "120", "CCC"],
        ["1", "2014J", "120", "AAA"],
        ["1", "2014B", "600", "EEE"],
        ["2", "2013J", "", "GGG"],
    ];

    fn plan() -> Plan {
        let mapping: Mapping = r#"
            invent = true
            person = { school_id = "id", declared_major = "module", program_status = { value = "ACTIVE" } }
            collapse = [{ column = "term", keep = "latest" }, { column = "credits", keep = "most" }]
        "#
        .parse()
        .unwrap();
        Plan::new(&mapping, &ByteRecord::from(vec!["id", "term", "credits", "module"])).unwrap()
    }

    #[test]
    fn the_choice_does_not_depend_on_the_order_of_rows() {
        let plan = plan();
        for start in 0..ROWS.len() {
            let mut collapse = Collapse::default();
            for place in (0..ROWS.len()).map(|place| (start + place) % ROWS.len()) {
                let row = checked_row::read(&plan, place as u64, &ByteRecord::from(ROWS[place].to_vec())).unwrap();
                collapse.offer(&plan, row);
            }
            let lines: Vec<_> = collapse.into_rows().map(|row| row.line).collect();
            assert_eq!(lines, [2, 5], "latest term, then most credits, then the rest of the row");
        }
    }

    #[test]
    fn a_number_that_is_none_is_refused() {
        let refused = checked_row::read(&plan(), 1, &ByteRecord::from(vec!["1", "2013B", "many", "AAA"]));
        assert_eq!(refused.unwrap_err(), "credits: “many” is not a number");
    }
}
