//! One's own email address: answers to what one sends, notices and tests go there. Another one is used for nothing until a link
//! that was sent to it has been followed by whoever asked for it, since anybody's could be typed.
//!
//! Nobody else writes the address of staff: an import leaves them alone, and an account comes without one. So the one column that
//! every use reads, `person.primary_email`, only ever holds what is verified.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{Code, Problem};
use queue::{Transaction, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use serde_json::json;

use crate::{
    Actor, Reauthenticated, Result,
    accounts::{account, tokens::secret::hash_of},
    audit::entry::By,
    caseload::Accounts,
    entity::{
        self,
        accounts::address_wish::{Column, Entity},
        people::person,
    },
    limits::{Allowance, allowance},
    mail::{Delivery, Rendered},
    notices::{About, address_change, at_once::AtOnce},
    people::fold,
};

/// How long a link works, in seconds.
const KEPT: f64 = 86_400.0;

/// What became of a new address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressChange {
    /// It is so, or is so now.
    Settled,
    /// A link is on its way.
    LinkSent,
}

impl Accounts<'_> {
    /// The address of the actor, for answers and notices.
    pub async fn own_address(self, actor: &Actor) -> Result<Option<String>> {
        Ok(entity::primary_address(self.0.db().reader(), actor.person_id.person()).await?)
    }

    /// Takes note of the address that the actor wants; empty for none.
    pub async fn request_address(self, actor: &Actor, address: &str) -> Result<AddressChange> {
        let own = self.0.accounts().own_address(actor).await?.unwrap_or_default();
        if address == own {
            return Ok(AddressChange::Settled);
        }
        if address.is_empty() {
            let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
            self.drop_request(&txn, actor).await?;
            self.set_address(&txn, actor, &own, "").await?;
            db.commit(txn).await?;
            return Ok(AddressChange::Settled);
        }
        if !self.0.mail().is_configured() {
            let message =
                "Email is not set up on this server, so addresses cannot be confirmed. Ask your Docket administrator.";
            return Err(Problem::field("address", "not_configured", message).into());
        }
        // It goes to whomever somebody names.
        allowance::spend(self.0, actor, Allowance::AddressLink).await?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let token = URL_SAFE_NO_PAD.encode(queue::secret_bytes());
        let row = [
            (Column::PersonId, actor.person_id.into()),
            (Column::Address, address.into()),
            (Column::TokenHash, hash_of(&token).into()),
            (Column::CreatedDate, db.instant()),
            (Column::ExpiryDate, db.instant_after(KEPT)),
        ];
        let conflict = OnConflict::column(Column::PersonId)
            .update_columns([Column::Address, Column::TokenHash, Column::CreatedDate, Column::ExpiryDate])
            .to_owned();
        txn.execute_raw(db.build(row_of(Entity, row).on_conflict(conflict))).await?;
        let detail = json!({ "before": { "address": own }, "wished": address });
        account::record(db, &txn, By::Actor(actor), "account.address_wish", actor.person_id, detail).await?;
        let message = AtOnce::put_down(db, &txn, About::Address(queue::new_id()), address).await?;
        db.commit(txn).await?;
        self.send_link(message, &token).await?;
        Ok(AddressChange::LinkSent)
    }

    /// The address that waits for its link to be followed.
    pub async fn requested_address(self, actor: &Actor) -> Result<Option<String>> {
        let requested =
            Entity::find_by_id(actor.person_id).filter(Expr::col(Column::ExpiryDate).gt(self.0.db().instant()));
        Ok(requested.one(self.0.db().reader()).await?.map(|requested| requested.address))
    }

    /// Takes over the address whose link the actor has followed. A link works once. Whoever reads that address can choose the password
    /// (`password_links`), so it takes the proof that this does, and the former address hears of it.
    pub async fn verify_address(self, actor: &Reauthenticated, token: &str) -> Result<()> {
        let own = self.0.accounts().own_address(actor).await?.unwrap_or_default();
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let used = Entity::delete_many()
            .filter(Column::PersonId.eq(actor.person_id))
            .filter(Column::TokenHash.eq(hash_of(token)))
            .filter(Expr::col(Column::ExpiryDate).gt(db.instant()));
        let used = used.into_query().returning_col(Column::Address).take();
        let Some(row) = txn.query_one_raw(db.build(&used)).await? else {
            let detail = "It was used before, is older than a day, or was sent to another account. Save your address again to get a new one.";
            return Err(Problem::new(404, Code::ADDRESS_LINK_GONE, "This link no longer works", detail).into());
        };
        let address: String = row.try_get("", "address")?;
        self.set_address(&txn, actor, &own, &address).await?;
        address_change::tell_former(db, &txn, self.0.mail(), &own, &address).await?;
        Ok(db.commit(txn).await?)
    }

    async fn drop_request(self, txn: &Transaction, actor: &Actor) -> Result<()> {
        let gone = Entity::delete_many().filter(Column::PersonId.eq(actor.person_id));
        txn.execute_raw(self.0.db().build(&gone.into_query())).await?;
        Ok(())
    }

    /// The one place where somebody's own address changes by their own hand, with its trace.
    pub(crate) async fn set_address(self, txn: &Transaction, actor: &Actor, own: &str, address: &str) -> Result<()> {
        let (kept, key) = Some(address).filter(|text| !text.is_empty()).map(|text| (text, fold::key(text))).unzip();
        let changed = person::Entity::update_many()
            .col_expr(person::Column::PrimaryEmail, kept.map(str::to_owned).into())
            .col_expr(person::Column::EmailKey, key.into())
            .col_expr(person::Column::ModifiedDate, self.0.db().instant())
            .filter(person::Column::Id.eq(actor.person_id))
            .filter(person::Column::Student.eq(false));
        txn.execute_raw(self.0.db().build(&changed.into_query())).await?;
        let detail = json!({ "before": { "address": own }, "after": { "address": address } });
        Ok(account::record(self.0.db(), txn, By::Actor(actor), "account.address", actor.person_id, detail).await?)
    }

    /// The link is nowhere but in the message, so it is handed over at once and not kept to be sent later.
    async fn send_link(self, message: AtOnce, token: &str) -> Result<()> {
        let text = format!(
            "Somebody entered this address as their own in Docket. If that was you, open this link within a day to confirm it:\n\n{}/settings?verify={token}\n\nIf it was not you, ignore this email.",
            self.0.mail().settings().public_url
        );
        let rendered = Rendered::of_text("Docket: confirm your email address".to_owned(), text);
        match message.send(self.0.db(), self.0.mail(), None, &rendered).await? {
            Delivery::Accepted | Delivery::Partly(_) | Delivery::Unknown(_) => Ok(()),
            Delivery::NotConfigured
            | Delivery::BadAddress
            | Delivery::Deferred(_)
            | Delivery::Rejected(_)
            | Delivery::NotBegun(_) => {
                let message = "We could not send a link to this address. Check it and try again.";
                Err(Problem::field("address", "not_sent", message).into())
            }
        }
    }
}
