//! SCIM 2.0, as the two big directories speak it: what they send is in `bodies`, in the shapes that their documentation shows.

mod directories;
mod refusals;

use axum::{
    body::{Body, to_bytes},
    http::{Method, header},
};
use caseload::tokens::days;
use serde_json::Value;

use crate::site::{Site, request};

/// A body of a directory's, with ids in it.
macro_rules! body {
    ($name:literal $(, $place:literal = $id:expr)*) => {{
        let text = include_str!(concat!("bodies/", $name, ".json")).to_owned();
        $(let text = text.replace($place, &$id);)*
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    }};
}
pub(crate) use body;

/// The directory of a college.
pub struct Directory {
    pub site: Site,
    pub token: String,
}

/// An answer: its status and its body.
pub type Answered = (u16, Value);

impl Directory {
    /// One that gives roles by groups, or not.
    pub async fn with(settings: &str) -> Directory {
        let site = Site::with(settings).await;
        let token = site.caseload.directory().issue_token("test", days(30)).await.unwrap();
        Directory { site, token }
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Answered {
        let (kind, text) = ("application/scim+json", body.map(Value::to_string).unwrap_or_default());
        self.send_text(method, path, &[(header::CONTENT_TYPE.as_str(), kind)], text).await
    }

    /// The same with these headers and this text.
    pub async fn send_text(&self, method: Method, path: &str, headers: &[(&str, &str)], text: String) -> Answered {
        let mut asked = request(method, &format!("/scim/v2{path}"), Some(&self.token));
        for (name, value) in headers {
            asked = asked.header(*name, *value);
        }
        let answer = self.site.send(asked.body(Body::from(text)).unwrap()).await;
        let (status, kind) = (answer.status().as_u16(), answer.headers().get(header::CONTENT_TYPE).cloned());
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        if bytes.is_empty() {
            return (status, Value::Null);
        }
        assert_eq!(kind.unwrap(), "application/scim+json");
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    pub async fn get(&self, path: &str) -> Answered {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answered {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answered {
        self.send(Method::PATCH, path, Some(body)).await
    }

    /// The id of what a POST makes.
    pub async fn made(&self, path: &str, body: &Value) -> String {
        let (status, made) = self.post(path, body).await;
        assert_eq!(status, 201, "{made}");
        made["id"].as_str().unwrap().to_owned()
    }

    /// How many are found.
    pub async fn found(&self, path: &str) -> u64 {
        let (status, found) = self.get(path).await;
        assert_eq!(status, 200, "{found}");
        found["totalResults"].as_u64().unwrap()
    }

    /// The role of an account, and whether it is disabled.
    pub async fn stands(&self, id: &str) -> (model::Role, bool) {
        let admin = self.site.caseload.accounts().sign_in("admin", crate::site::PASSWORD, None).await.unwrap();
        let user = self.site.caseload.users().get(&admin, id.parse().unwrap()).await.unwrap();
        (user.role, user.disabled)
    }
}
