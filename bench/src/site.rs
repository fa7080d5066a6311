//! Docket over HTTP within this process, without a network: the whole router, asked with an account's token.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, header},
};
use caseload::{Caseload, NewToken};
use model::account::TokenScope;
use server::{config::Config, pages::DemoAccounts, router, run, state::Closing};
use tower::ServiceExt;

pub struct Site {
    router: Router,
}

impl Site {
    pub async fn of(caseload: Caseload) -> Result<Site> {
        let state = run::state(&Config::from_text("")?, caseload, DemoAccounts::default(), Closing::default()).await?;
        Ok(Site { router: router::router(state)? })
    }

    /// A token with which an account may do all that it may do on pages.
    pub async fn token(caseload: &Caseload, username: &str) -> Result<String> {
        Ok(caseload.by_command().issue_for(username, NewToken::new("bench", TokenScope::Administer)).await?)
    }

    /// A page, and how long it took until all of it was read.
    pub async fn get(&self, token: &str, path: &str) -> Result<(Duration, String)> {
        let request = Request::get(path).header(header::ACCEPT, "text/html");
        self.ask(path, request.header(header::AUTHORIZATION, format!("Bearer {token}")).body(Body::empty())?).await
    }

    /// What the API answers to a document.
    pub async fn post(&self, token: &str, path: &str, json: String) -> Result<String> {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        let request = request.header(header::AUTHORIZATION, format!("Bearer {token}")).body(json.into())?;
        Ok(self.ask(path, request).await?.1)
    }

    async fn ask(&self, path: &str, request: Request<Body>) -> Result<(Duration, String)> {
        let began = Instant::now();
        let response = self.router.clone().oneshot(request).await?;
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await?;
        let (took, text) = (began.elapsed(), String::from_utf8(body.to_vec())?);
        ensure!(status.is_success(), "{path}: {status} {text}");
        Ok((took, text))
    }
}
