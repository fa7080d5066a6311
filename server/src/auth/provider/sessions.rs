//! The sessions that a provider has opened: found by what it calls them, ended by its word or without it, and vouched for anew.

use std::time::Duration;

use model::{AccountId, Instant};
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait},
};

use super::opened_session::OpenedBy;
use crate::{
    auth::session::{self, Store},
    entity::session::{Column, Entity, Model},
};

/// A session that a provider has opened.
#[derive(Clone, Debug)]
pub struct OpenedSession {
    /// A hash, as it is in the table.
    pub id: String,
    pub person_id: AccountId,
    pub opened: OpenedBy,
}

/// Which sessions a provider says have ended.
#[derive(Debug, PartialEq, Eq)]
pub struct EndedThere {
    pub subject: Option<String>,
    pub provider_session: Option<String>,
}

impl Store {
    /// Which of a provider's sessions these are, so many at most. One that came without a name is all of its subject's.
    pub async fn meant_by(&self, issuer: &str, ended: &EndedThere, most: u64) -> Result<Vec<OpenedSession>, DbErr> {
        let mut meant = Entity::find().filter(Column::Issuer.eq(issuer)).limit(most);
        if let Some(subject) = &ended.subject {
            meant = meant.filter(Column::Subject.eq(subject));
        }
        if let Some(name) = &ended.provider_session {
            let unnamed = Column::ProviderSession.is_null().and(ended.subject.is_some());
            meant = meant.filter(Column::ProviderSession.eq(name).or(unnamed));
        }
        self.read(meant).await
    }

    /// Ends those of providers that are none any more, and those that nobody vouches for.
    pub async fn end_of_strangers(&self, issuers: Vec<&str>) -> Result<u64, DbErr> {
        let is_over = Expr::col(Column::VouchedUntil).lte(self.database().instant());
        let strangers = Entity::delete_many()
            .filter(Column::Issuer.is_not_null())
            .filter(Column::Issuer.is_not_in(issuers).or(is_over));
        self.database().write_query(&strangers.into_query()).await
    }

    /// The sessions for which a provider's word ends within this time, in the order of that, from `after` on.
    pub async fn to_confirm(
        &self,
        issuer: &str,
        within: Duration,
        after: Option<&OpenedSession>,
        most: u64,
    ) -> Result<Vec<OpenedSession>, DbErr> {
        let until = self.database().instant_after(within.as_secs_f64());
        let mut due = Entity::find()
            .filter(Column::Issuer.eq(issuer))
            .filter(Expr::col(Column::VouchedUntil).lte(until))
            .filter(Expr::col(Column::VouchedUntil).gt(self.database().instant()))
            .filter(Expr::col(Column::ExpiryDate).gt(self.database().instant()))
            .order_by_asc(Column::VouchedUntil)
            .order_by_asc(Column::Id)
            .limit(most);
        if let Some(after) = after {
            let later = Column::VouchedUntil.gt(after.opened.vouched_until);
            let beside = Column::VouchedUntil.eq(after.opened.vouched_until).and(Column::Id.gt(after.id.as_str()));
            due = due.filter(later.or(beside));
        }
        self.read(due).await
    }

    async fn read(&self, sessions: Select<Entity>) -> Result<Vec<OpenedSession>, DbErr> {
        let rows = sessions.all(self.database().reader()).await?;
        let read = |row: Model| {
            let mut opened = session::opened_in(&row.data)?;
            // To the digit by which the table is sorted.
            opened.vouched_until = row.vouched_until?;
            Some(OpenedSession { opened, person_id: row.person_id?, id: row.id })
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// Keeps a provider's word, whatever else has changed in the session meanwhile.
    pub async fn vouch(&self, session: &OpenedSession, opened: &OpenedBy) -> Result<(), DbErr> {
        // Somebody may write it between the two.
        for _ in 0..3 {
            let Some(row) = Entity::find_by_id(session.id.as_str()).one(self.database().reader()).await? else {
                return Ok(());
            };
            let data = session::with_opened(&row.data, opened);
            let kept = Entity::update_many()
                .col_expr(Column::Data, data.into())
                .col_expr(Column::VouchedUntil, Option::<Instant>::Some(opened.vouched_until).into())
                .filter(Column::Id.eq(session.id.as_str()))
                .filter(Column::Data.eq(row.data));
            if self.database().write_query(&kept.into_query()).await? > 0 {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use serde_json::json;
    use testkit::{On, TestDb};
    use tower_sessions::{
        SessionStore,
        cookie::time::OffsetDateTime,
        session::{Id, Record},
    };

    use super::*;
    use crate::config;

    testkit::on_both!(
        a_session_is_none_once_the_word_of_its_provider_is_over,
        a_word_that_is_given_anew_lasts_whatever_else_was_written_meanwhile,
        everybody_is_asked_about_once_in_a_round,
        a_session_is_meant_by_its_name_and_where_it_has_none_by_its_subject,
        sessions_of_a_provider_that_is_none_any_more_end,
    );

    const NORTH: &str = "https://north.example";
    const LIMITS: config::Session =
        config::Session { idle: Duration::from_secs(1_800), absolute: Duration::from_secs(43_200) };

    struct Sessions {
        test: TestDb,
        store: Store,
    }

    impl Sessions {
        async fn new(on: On) -> Sessions {
            let test = TestDb::new(on).await.unwrap();
            Sessions { store: Store::new(test.db.clone(), LIMITS), test }
        }

        /// One of a subject, with the provider's name for it, that is vouched for so many minutes from now on.
        async fn open(&self, issuer: &str, subject: &str, name: Option<&str>, minutes: i64) -> Id {
            let opened = OpenedBy {
                provider: "north".to_owned(),
                issuer: issuer.to_owned(),
                subject: subject.to_owned(),
                provider_session: name.map(str::to_owned),
                refresh: None,
                vouched_until: self.test.db.now().await.unwrap() + TimeDelta::minutes(minutes),
            };
            let who = json!({ "person_id": AccountId::from_u128(7), "session_version": 0 });
            let data = [("who".to_owned(), who), ("opened_by".to_owned(), json!(opened))].into();
            let mut record = Record { id: Id::default(), data, expiry_date: OffsetDateTime::UNIX_EPOCH };
            self.store.create(&mut record).await.unwrap();
            record.id
        }

        async fn due(&self, minutes: u64) -> Vec<OpenedSession> {
            self.store.to_confirm(NORTH, Duration::from_secs(60 * minutes), None, 10).await.unwrap()
        }

        async fn meant(&self, subject: Option<&str>, name: Option<&str>) -> Vec<String> {
            let [subject, provider_session] = [subject, name].map(|text| text.map(str::to_owned));
            let ended = EndedThere { subject, provider_session };
            let mut meant: Vec<String> =
                self.store.meant_by(NORTH, &ended, 10).await.unwrap().into_iter().map(|one| one.id).collect();
            meant.sort();
            meant
        }
    }

    fn ids(sessions: &[Id]) -> Vec<String> {
        let mut ids: Vec<String> = sessions.iter().map(session::public_id).collect();
        ids.sort();
        ids
    }

    async fn a_session_is_none_once_the_word_of_its_provider_is_over(on: On) {
        let s = Sessions::new(on).await;
        let id = s.open(NORTH, "1", None, 10).await;
        s.test.clock.advance(Duration::from_secs(9 * 60));
        assert!(s.store.is_alive(&id).await.unwrap() && s.store.load(&id).await.unwrap().is_some());
        s.test.clock.advance(Duration::from_secs(2 * 60));
        assert!(!s.store.is_alive(&id).await.unwrap() && s.store.load(&id).await.unwrap().is_none());
        assert_eq!(s.store.end_of_strangers(vec![NORTH]).await.unwrap(), 1);
    }

    async fn a_word_that_is_given_anew_lasts_whatever_else_was_written_meanwhile(on: On) {
        let s = Sessions::new(on).await;
        let id = s.open(NORTH, "1", None, 10).await;
        let [due] = s.due(10).await.try_into().unwrap();
        let mut record = s.store.load(&id).await.unwrap().unwrap();
        record.data.insert("device".to_owned(), json!("Firefox on Linux"));
        s.store.save(&record).await.unwrap();
        let until = s.test.db.now().await.unwrap() + TimeDelta::minutes(60);
        let opened = OpenedBy { refresh: Some("sealed".to_owned()), vouched_until: until, ..due.opened.clone() };
        s.store.vouch(&due, &opened).await.unwrap();
        s.test.clock.advance(Duration::from_secs(20 * 60));
        let kept = s.store.load(&id).await.unwrap().expect("it is vouched for");
        assert_eq!(kept.data["device"], "Firefox on Linux");
        assert_eq!(kept.data["opened_by"]["refresh"], "sealed");
        assert!(s.due(10).await.is_empty());
        assert_eq!(s.due(60).await.len(), 1);
    }

    async fn everybody_is_asked_about_once_in_a_round(on: On) {
        let s = Sessions::new(on).await;
        for minutes in [5, 5, 5, 4, 6, 50] {
            s.open(NORTH, "1", None, minutes).await;
        }
        s.open("https://south.example", "1", None, 5).await;
        let mut asked: Vec<OpenedSession> = Vec::new();
        loop {
            let next = s.store.to_confirm(NORTH, Duration::from_secs(600), asked.last(), 2).await.unwrap();
            if next.is_empty() {
                break;
            }
            asked.extend(next);
        }
        let each: std::collections::BTreeSet<&str> = asked.iter().map(|session| session.id.as_str()).collect();
        assert_eq!((asked.len(), each.len()), (5, 5));
        assert!(asked.is_sorted_by_key(|session| session.opened.vouched_until));
    }

    async fn a_session_is_meant_by_its_name_and_where_it_has_none_by_its_subject(on: On) {
        let s = Sessions::new(on).await;
        let [a, b, unnamed] = [
            s.open(NORTH, "1", Some("a"), 10).await,
            s.open(NORTH, "1", Some("b"), 10).await,
            s.open(NORTH, "1", None, 10).await,
        ];
        s.open("https://south.example", "1", Some("a"), 10).await;
        s.open(NORTH, "2", None, 10).await;
        assert_eq!(s.meant(Some("1"), None).await, ids(&[a, b, unnamed]));
        assert_eq!(s.meant(Some("1"), Some("a")).await, ids(&[a, unnamed]));
        assert_eq!(s.meant(None, Some("a")).await, ids(&[a]));
        assert_eq!(s.meant(Some("2"), Some("a")).await.len(), 1);
        assert_eq!(s.meant(Some("3"), None).await.len(), 0);
    }

    async fn sessions_of_a_provider_that_is_none_any_more_end(on: On) {
        let s = Sessions::new(on).await;
        let north = s.open(NORTH, "1", None, 10).await;
        let south = s.open("https://south.example", "1", None, 10).await;
        let mut own = Record { id: Id::default(), data: [].into(), expiry_date: OffsetDateTime::UNIX_EPOCH };
        s.store.create(&mut own).await.unwrap();
        assert_eq!(s.store.end_of_strangers(vec![NORTH]).await.unwrap(), 1);
        assert!(s.store.is_alive(&north).await.unwrap() && s.store.is_alive(&own.id).await.unwrap());
        assert!(!s.store.is_alive(&south).await.unwrap());
        assert_eq!(s.store.end_of_strangers(vec![]).await.unwrap(), 1);
        assert!(s.store.is_alive(&own.id).await.unwrap());
    }
}
