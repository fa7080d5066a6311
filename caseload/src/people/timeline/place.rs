//! Where an entry stands in the timeline: by its moment, then by its source, then by its id there.

use std::cmp::Reverse;

use chrono::{Datelike, TimeDelta};
use model::{Cursor, Instant, timeline::TimelineKind};
use sea_orm::sea_query::{Expr, ExprTrait};
use serde::{Deserialize, Serialize};

use crate::{Result, people::list::cursor};

/// What gives entries. Those of one moment are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TimelineSource {
    Status,
    Alert,
    Journal,
    Bounce,
    Email,
    Coach,
    Watch,
    Task,
    Added,
}

impl TimelineSource {
    pub fn is_of(self, kind: Option<TimelineKind>) -> bool {
        let own = match self {
            TimelineSource::Status => Some(TimelineKind::Status),
            TimelineSource::Alert => Some(TimelineKind::Alert),
            TimelineSource::Journal => Some(TimelineKind::Journal),
            TimelineSource::Bounce | TimelineSource::Email => Some(TimelineKind::Email),
            TimelineSource::Coach => Some(TimelineKind::Coach),
            TimelineSource::Watch => Some(TimelineKind::Watch),
            TimelineSource::Task => Some(TimelineKind::Task),
            TimelineSource::Added => None,
        };
        kind.is_none() || kind == own
    }
}

/// Newest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place(Reverse<Instant>, TimelineSource, Reverse<String>);

impl Place {
    pub fn numbered(at: Instant, source: TimelineSource, id: i64) -> Place {
        // Texts of one length are in the order of their numbers.
        Place::new(at, source, format!("{id:020}"))
    }

    pub fn new(at: Instant, source: TimelineSource, id: impl ToString) -> Place {
        Place(Reverse(at), source, Reverse(id.to_string()))
    }

    pub fn at(&self) -> Instant {
        self.0.0
    }

    pub fn key(&self) -> String {
        format!("{:?}-{}", self.1, self.2.0)
    }
}

/// The entry after which a page begins; without one it is the first.
pub struct Until(Option<Place>);

impl Until {
    pub fn read(after: Option<&Cursor>) -> Result<Until> {
        let place = after.map(cursor::read::<Place>).transpose()?;
        match &place {
            // Both databases have such years.
            Some(place) if !(1970..10_000).contains(&place.at().year()) => Err(Cursor::gone().into()),
            _ => Ok(Until(place)),
        }
    }

    /// The condition that an entry with a number comes after it.
    pub fn numbered(&self, source: TimelineSource, at: Expr, id: Expr) -> Result<Expr> {
        self.before(source, at, id, |text| text.parse::<i64>().ok().map(Expr::from))
    }

    /// The same of an entry with the id of something.
    pub fn of<Id: std::str::FromStr + Into<Expr>>(&self, source: TimelineSource, at: Expr, id: Expr) -> Result<Expr> {
        self.before(source, at, id, |text| text.parse::<Id>().ok().map(Id::into))
    }

    /// Whether an entry that was read already comes after it.
    pub fn has(&self, place: &Place) -> bool {
        self.0.as_ref().is_none_or(|until| place > until)
    }

    fn before(&self, source: TimelineSource, at: Expr, id: Expr, read: impl Fn(&str) -> Option<Expr>) -> Result<Expr> {
        let Some(Place(Reverse(moment), of, Reverse(last))) = &self.0 else { return Ok(Expr::cust("TRUE")) };
        // SQLite has instants as texts of several lengths: of one moment the shortest is the first, and none is after this.
        let to_its_end = *moment + TimeDelta::nanoseconds(999);
        let (earlier, not_later) = (at.clone().lt(*moment), at.lte(to_its_end));
        Ok(match source.cmp(of) {
            std::cmp::Ordering::Less => earlier,
            std::cmp::Ordering::Greater => not_later,
            std::cmp::Ordering::Equal => {
                let last = read(last).ok_or_else(Cursor::gone)?;
                not_later.and(earlier.or(id.lt(last)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_is_first_and_of_one_moment_the_last_one_of_the_first_source() {
        let (one, other): (Instant, Instant) =
            ("2026-01-02T00:00:00Z".parse().unwrap(), "2026-01-01T00:00:00Z".parse().unwrap());
        let mut places = [
            Place::numbered(other, TimelineSource::Status, 9),
            Place::numbered(one, TimelineSource::Task, 10),
            Place::numbered(one, TimelineSource::Status, 9),
            Place::numbered(one, TimelineSource::Status, 10),
        ];
        places.sort();
        let keys = places.each_ref().map(|place| place.key().replace('0', ""));
        assert_eq!(keys, ["Status-1", "Status-9", "Task-1", "Status-9"]);
    }
}
