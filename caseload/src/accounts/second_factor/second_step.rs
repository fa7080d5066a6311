//! The second step of a sign-in: a code or a passkey beside the password that was right. A code is taken once, and whoever guesses is slowed down as
//! at the password, by counts of their own.

use std::net::IpAddr;

use model::{Code, Problem};
use queue::Transaction;
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use super::{
    app, app_key,
    half::{HalfSignIn, over},
    recovery, remembered as remembered_browsers,
    typed::TypedCode,
};
use crate::{
    Actor, Result, access,
    accounts::{
        account::{locked, record},
        passkeys::{
            PasskeyAnswer,
            beside_password::{RightPasskey, used_meanwhile},
        },
        passwords::once::{spend, spent},
        request_origin::{Credential, Via},
        session::begun,
        throttle::{self, Browser, Claim, Door, SignInAttempt},
    },
    audit::entry::By,
    caseload::Factors,
    entity::accounts::{account, recovery_code},
    notices::{self, SecondFactorChange},
};

/// By what somebody came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownFactor {
    App,
    RecoveryCode,
    Passkey,
}

impl ShownFactor {
    /// As the audit trail has it.
    fn words(self) -> &'static str {
        match self {
            ShownFactor::App => "authenticator app",
            ShownFactor::RecoveryCode => "recovery code",
            ShownFactor::Passkey => "passkey",
        }
    }
}

/// Somebody who has shown both.
#[derive(Debug)]
pub struct CameIn {
    pub actor: Actor,
    pub by: ShownFactor,
}

/// What somebody shows beside their password.
enum SecondProof<'a> {
    Code(TypedCode),
    Passkey(PasskeyAnswer<'a>),
}

/// One that is right, and not used up yet.
enum RightProof {
    App { sealed: String, step: i64 },
    Recovery(recovery_code::Model),
    Passkey(RightPasskey),
}

impl RightProof {
    fn shown(&self) -> ShownFactor {
        match self {
            RightProof::App { .. } => ShownFactor::App,
            RightProof::Recovery(_) => ShownFactor::RecoveryCode,
            RightProof::Passkey(_) => ShownFactor::Passkey,
        }
    }
}

impl Factors<'_> {
    /// Takes the code of whoever has typed their password, for a session that is going to have this id; `remembered` is the browser in which
    /// they are not to be asked again for a while.
    pub async fn second_step(
        self,
        half: &HalfSignIn,
        code: &str,
        source: Option<IpAddr>,
        browser: Option<&Browser>,
        session: Option<&str>,
        remembered: Option<&Browser>,
    ) -> Result<CameIn> {
        let proof = SecondProof::Code(TypedCode::read(code));
        self.step(half, proof, (source, browser, session, remembered)).await
    }

    /// The same with a passkey of theirs.
    pub async fn second_step_by_passkey(
        self,
        half: &HalfSignIn,
        given: PasskeyAnswer<'_>,
        source: Option<IpAddr>,
        browser: Option<&Browser>,
        session: Option<&str>,
        remembered: Option<&Browser>,
    ) -> Result<CameIn> {
        self.step(half, SecondProof::Passkey(given), (source, browser, session, remembered)).await
    }

    async fn step(
        self,
        half: &HalfSignIn,
        proof: SecondProof<'_>,
        (source, browser, session, remembered): (Option<IpAddr>, Option<&Browser>, Option<&str>, Option<&Browser>),
    ) -> Result<CameIn> {
        if half.is_over(self.0.db().now().await?) {
            return Err(over().into());
        }
        let account = Some(half.person_id);
        let own = browser.and_then(|browser| browser.own(account));
        let claim = Claim { door: Door::Code, username: &half.username, account, source, own };
        let judge =
            async |attempt: &SignInAttempt| self.judge_proof(attempt, half, proof, (source, session, remembered)).await;
        Ok(throttle::attempt(self.0, claim, judge).await??)
    }

    /// Whether it is right, which uses it up. An error says neither.
    async fn judge_proof(
        self,
        attempt: &SignInAttempt,
        half: &HalfSignIn,
        proof: SecondProof<'_>,
        (source, session, remembered): (Option<IpAddr>, Option<&str>, Option<&Browser>),
    ) -> Result<Result<CameIn, Problem>> {
        let (db, owner) = (self.0.db(), half.person_id);
        let account = account::Entity::find_by_id(owner).one(db.reader()).await?.ok_or_else(over)?;
        let for_once = account.password_state.is_to_be_changed().then(|| account.password_hash.clone());
        let actor = access::actor(db.reader(), account, Via::new(Credential::Password, source)).await?;
        let actor = actor.filter(|actor| half.is_of(actor.session_version)).ok_or_else(over)?;
        let found = self.right_proof(half, proof).await?;
        let txn = db.begin_write().await?;
        // Beside somebody who changes the password meanwhile, nobody comes in and no browser is remembered.
        locked(db, &txn, owner).await?.filter(|version| half.is_of(*version)).ok_or_else(over)?;
        let mut taken = match found {
            Ok(right) if self.use_up(&txn, half, &right).await? => Ok(right.shown()),
            Ok(RightProof::Passkey(_)) => Err(used_meanwhile()),
            Ok(_) => Err(used()),
            Err(refusal) => Err(refusal),
        };
        // Only now is a password that works once used: whoever fails here can try again.
        if let (Ok(_), Some(hash)) = (&taken, for_once)
            && !spend(db, &txn, owner, &hash).await?
        {
            taken = Err(spent());
        }
        let (action, detail) = match &taken {
            Ok(by) => ("session.begin", with_code(begun(session), by.words())),
            Err(_) => ("session.refused", with_code(json!({}), "wrong")),
        };
        record(db, &txn, By::AtTheDoor { account: Some(owner), source }, action, owner, detail).await?;
        if taken == Ok(ShownFactor::RecoveryCode) {
            let by = By::AtTheDoor { account: Some(owner), source };
            record(db, &txn, by, "account.recovery_use", owner, json!({})).await?;
        }
        if taken.is_ok() {
            attempt.succeeded(db, &txn, owner).await?;
            if let Some(browser) = remembered {
                remembered_browsers::put_down(db, &txn, owner, browser).await?;
            }
        }
        db.commit(txn).await?;
        Ok(taken.map(|by| CameIn { actor, by }))
    }

    /// Which one it is, if it is one that counts now.
    async fn right_proof(self, half: &HalfSignIn, proof: SecondProof<'_>) -> Result<Result<RightProof, Problem>> {
        let owner = half.person_id;
        let code = match proof {
            SecondProof::Code(code) => code,
            SecondProof::Passkey(given) => {
                return Ok(RightPasskey::of(self.0, half, given).await?.map(RightProof::Passkey));
            }
        };
        match code {
            TypedCode::App(code) => {
                // Whoever has passkeys alone has no code that could be right.
                let judged = app::judge(self.0, owner, &code).await?;
                Ok(match judged {
                    Some((app_key::CodeVerdict::Of(step), sealed)) => Ok(RightProof::App { sealed, step }),
                    Some((app_key::CodeVerdict::Before, _)) => Err(used()),
                    Some((app_key::CodeVerdict::Wrong, _)) | None => Err(wrong()),
                })
            }
            TypedCode::Recovery(code) => {
                let found = recovery::find(self.0.db(), owner, &code).await?;
                Ok(found.map(RightProof::Recovery).ok_or_else(wrong))
            }
            TypedCode::Neither => Ok(Err(wrong())),
        }
    }

    /// Uses it up; false: somebody was faster.
    async fn use_up(self, txn: &Transaction, half: &HalfSignIn, proof: &RightProof) -> Result<bool> {
        let (db, owner) = (self.0.db(), half.person_id);
        match proof {
            RightProof::Passkey(key) => key.use_up(self.0, txn).await,
            RightProof::App { sealed, step } => Ok(app::use_up(db, txn, owner, sealed, *step).await?),
            RightProof::Recovery(code) => {
                if !recovery::use_up(db, txn, code).await? {
                    return Ok(false);
                }
                let change = SecondFactorChange::CodeUsed { left: recovery::left(txn, owner).await? };
                notices::of_second_factor_change(db, txn, self.0.mail(), owner, change).await?;
                Ok(true)
            }
        }
    }
}

/// What is noted, with which code it was.
fn with_code(mut detail: Value, code: &str) -> Value {
    detail["code"] = json!(code);
    detail
}

fn wrong() -> Problem {
    let detail = "Enter the code that your app shows now, and check the phone’s clock.";
    Problem::new(401, Code::CODE_WRONG, "That code is not right", detail)
}

fn used() -> Problem {
    let detail = "A code works once. Wait for the next one, which comes within 30 seconds.";
    Problem::new(401, Code::CODE_USED, "That code has been used", detail)
}
