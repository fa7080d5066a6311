//! What a provider says of somebody, as Docket's settings have it read.

use caseload::provided::{ProvidedPerson, ProvidedRole};
use serde_json::{Map, Value};

use crate::config::institution::providers::ProviderSettings;

/// The longest value that is looked at, in bytes.
const LONGEST: usize = 320;
/// The most groups of one person that are looked at.
const MOST_GROUPS: usize = 2_000;

pub type Claims = Map<String, Value>;

/// Whom these claims are about. What was signed wins over what was only told.
pub fn person(settings: &ProviderSettings, issuer: &str, subject: &str, claims: &Claims) -> ProvidedPerson {
    let text =
        |name: &str| one(claims, name).filter(|text| !text.is_empty() && text.len() <= LONGEST).map(str::to_owned);
    let parts = || match (text("given_name"), text("family_name")) {
        (Some(given), Some(family)) => Some(format!("{given} {family}")),
        (given, family) => given.or(family),
    };
    // Some write it as a text.
    let is_verified = claims.get("email_verified").is_some_and(|verified| verified == true || verified == "true");
    ProvidedPerson {
        provider: settings.name.clone(),
        issuer: issuer.to_owned(),
        subject: subject.to_owned(),
        username: text(&settings.claims.username),
        name: parts().or_else(|| text("name")),
        address: text("email").filter(|_| is_verified),
        school_id: settings.claims.school_id.as_deref().and_then(text),
        role: role(settings, claims),
    }
}

/// The highest role that one of somebody's groups makes.
fn role(settings: &ProviderSettings, claims: &Claims) -> ProvidedRole {
    let Some(name) = &settings.claims.roles else { return ProvidedRole::GivenHere };
    let groups: Vec<&str> = match at(claims, name) {
        Some(Value::Array(groups)) => groups.iter().take(MOST_GROUPS).filter_map(Value::as_str).collect(),
        Some(Value::String(groups)) => groups.split([',', ' ']).take(MOST_GROUPS).collect(),
        _ => Vec::new(),
    };
    let made = settings.roles.iter().find(|(_, by)| by.iter().any(|group| groups.contains(&group.as_str())));
    made.map_or(ProvidedRole::Missing, |(role, _)| ProvidedRole::Given(*role))
}

/// Whether the provider says anything of roles here.
pub fn has_roles(settings: &ProviderSettings, claims: &Claims) -> bool {
    settings.claims.roles.as_deref().is_none_or(|name| at(claims, name).is_some())
}

/// Whether these claims say all that the settings have read: otherwise the provider is asked for the person.
pub fn is_whole(settings: &ProviderSettings, claims: &Claims) -> bool {
    let wanted = [Some(settings.claims.username.as_str()), settings.claims.school_id.as_deref(), Some("email")];
    has_roles(settings, claims) && wanted.into_iter().flatten().all(|name| at(claims, name).is_some())
}

fn one<'a>(claims: &'a Claims, name: &str) -> Option<&'a str> {
    at(claims, name).and_then(Value::as_str).map(str::trim)
}

/// A claim by its name, or within another one (`realm_access.roles`).
fn at<'a>(claims: &'a Claims, name: &str) -> Option<&'a Value> {
    claims.get(name).or_else(|| {
        let (outer, inner) = name.split_once('.')?;
        at(claims.get(outer)?.as_object()?, inner)
    })
}

#[cfg(test)]
mod tests {
    use model::Role;
    use serde_json::json;

    use super::*;
    use crate::config::Config;

    fn settings() -> ProviderSettings {
        let text = "[oidc.north]\nissuer = 'https://north.example'\nclient_id = 'docket'\nrole_claim = 'realm_access.roles'\n\
                    role_manager = 'docket-managers, deans'\nrole_administrator = 'it'";
        Config::from_text(text).unwrap().providers.remove(0)
    }

    fn of(claims: Value) -> ProvidedPerson {
        let Value::Object(claims) = claims else { unreachable!() };
        person(&settings(), "https://north.example", "7", &claims)
    }

    #[test]
    fn the_highest_role_of_all_groups_counts_and_without_one_it_is_missing() {
        let role = |groups: Value| of(json!({ "realm_access": { "roles": groups } })).role;
        assert_eq!(role(json!(["deans", "it"])), ProvidedRole::Given(Role::Administrator));
        assert_eq!(role(json!("x deans")), ProvidedRole::Given(Role::Manager));
        assert_eq!(role(json!(["Deans", "dean"])), ProvidedRole::Missing);
        assert_eq!(of(json!({})).role, ProvidedRole::Missing);
    }

    #[test]
    fn an_address_that_nobody_has_verified_is_none() {
        assert_eq!(of(json!({ "email": "a@b.example" })).address, None);
        assert_eq!(of(json!({ "email": "a@b.example", "email_verified": false })).address, None);
        assert!(of(json!({ "email": "a@b.example", "email_verified": true })).address.is_some());
    }

    #[test]
    fn a_name_is_that_of_its_parts() {
        assert_eq!(
            of(json!({ "name": "Lund, K.", "given_name": "Katrin", "family_name": "Lund" })).name.unwrap(),
            "Katrin Lund"
        );
        assert_eq!(of(json!({ "name": "Katrin Lund" })).name.unwrap(), "Katrin Lund");
        assert_eq!(of(json!({ "name": "x".repeat(1_000) })).name, None);
    }
}
