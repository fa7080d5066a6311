//! In which order the people list is, and what comes after a place in it.

use model::{PersonColumn, PersonId, Sort};
use sea_orm::sea_query::Expr;

use crate::{
    entity::people::person::{Column, P},
    statement::{byte_by_byte, moment_as_text, sql},
};

/// Comes after every text.
const LAST: &str = "\u{10ffff}";

/// Where a page ends: what its last person is sorted by, what they are called, and who they are.
pub(crate) type Place = (String, String, PersonId);

/// The order of the people `p`.
#[derive(Clone, Copy)]
pub(crate) struct ListOrder(pub Sort);

impl ListOrder {
    pub fn is_by_name(self) -> bool {
        self.0.by == PersonColumn::Name
    }

    /// Whether an index has everybody in this order.
    pub fn is_indexed(self) -> bool {
        matches!(self.0.by, PersonColumn::Name | PersonColumn::SchoolId)
    }

    /// What people are sorted by, as a text that is never unknown. Whoever has nothing there comes last, whichever way round it is.
    pub fn key(self) -> Expr {
        let text = |column| self.blanks_last(P.col(column));
        match self.0.by {
            PersonColumn::Name => P.col(Column::SortKey),
            PersonColumn::SchoolId => P.col(Column::SchoolKey),
            PersonColumn::ProgramStatus => text(Column::ProgramStatus),
            PersonColumn::StatusSince => self.blanks_last(moment_as_text(P.col(Column::StatusDate))),
            PersonColumn::StudentType => text(Column::StudentType),
            PersonColumn::Major => text(Column::DeclaredMajor),
            PersonColumn::HomeCampus => text(Column::HomeCampus),
            PersonColumn::StartTerm => text(Column::StartTerm),
            PersonColumn::Coach => {
                let coach = "(SELECT k.sort_key FROM person k WHERE k.id = $1)";
                self.blanks_last(sql(coach, [P.col(Column::CoachId)]))
            }
            PersonColumn::PrimaryEmail => text(Column::EmailKey),
            PersonColumn::Activated => sql("CASE WHEN $1 THEN '0' ELSE '1' END", [P.col(Column::Activated)]),
        }
    }

    fn blanks_last(self, text: Expr) -> Expr {
        let blank = if self.0.descending { "" } else { LAST };
        byte_by_byte(sql("COALESCE(NULLIF($1, ''), $2)", [text, blank.into()]))
    }

    /// What an ORDER BY says, by this key, this name and this id.
    pub fn by(self, key: Expr, name: Expr, id: Expr) -> Expr {
        match (self.is_indexed(), self.0.descending) {
            (true, false) => sql("$1 ASC, $2 ASC", [key, id]),
            (true, true) => sql("$1 DESC, $2 DESC", [key, id]),
            (false, false) => sql("$1 ASC, $2 ASC, $3 ASC", [key, name, id]),
            (false, true) => sql("$1 DESC, $2 ASC, $3 ASC", [key, name, id]),
        }
    }

    /// Whether the person `p` with this key comes after a place in the list.
    pub fn comes_after(self, key: Expr, (last, name, id): Place) -> Expr {
        let (last, id) = (Expr::from(last), Expr::from(id));
        match (self.is_indexed(), self.0.descending) {
            (true, false) => sql("($1, p.id) > ($2, $3)", [key, last, id]),
            (true, true) => sql("($1, p.id) < ($2, $3)", [key, last, id]),
            (false, descending) => {
                let text = match descending {
                    false => "($1 > $2 OR ($1 = $2 AND (p.sort_key, p.id) > ($3, $4)))",
                    true => "($1 < $2 OR ($1 = $2 AND (p.sort_key, p.id) > ($3, $4)))",
                };
                sql(text, [key, last, name.into(), id])
            }
        }
    }

    /// Whether a key comes no later than that of another person.
    pub fn comes_until(self, key: Expr, other: Expr) -> Expr {
        sql(if self.0.descending { "$1 >= ($2)" } else { "$1 <= ($2)" }, [key, other])
    }
}
