//! In which order people are written to a file, and who comes after whom.

use model::{PersonId, action::ExportSort};
use sea_orm::sea_query::Expr;

use crate::{entity::people::person::Column, statement::sql};

/// By a column, and by id where that is the same.
#[derive(Clone, Copy)]
pub(super) struct ExportOrder {
    pub key: Column,
    descending: bool,
}

impl ExportOrder {
    pub fn of(sort: ExportSort) -> ExportOrder {
        let (key, descending) = match sort {
            ExportSort::Name => (Column::SortKey, false),
            ExportSort::NameDescending => (Column::SortKey, true),
            ExportSort::SchoolId => (Column::SchoolKey, false),
            ExportSort::SchoolIdDescending => (Column::SchoolKey, true),
        };
        ExportOrder { key, descending }
    }

    /// What an ORDER BY says, by this key and this id.
    pub fn by(self, key: Expr, id: Expr) -> Expr {
        sql(if self.descending { "$1 DESC, $2 DESC" } else { "$1 ASC, $2 ASC" }, [key, id])
    }

    /// Whether the person `p` with this key comes after another one.
    pub fn comes_after(self, key: Expr, (last, id): (&str, PersonId)) -> Expr {
        let comes_after = if self.descending { "($1, p.id) < ($2, $3)" } else { "($1, p.id) > ($2, $3)" };
        sql(comes_after, [key, last.into(), id.into()])
    }
}
