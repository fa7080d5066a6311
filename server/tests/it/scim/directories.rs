//! Whole lives of users and groups, as the directories provision them.

use axum::http::Method;
use model::Role;
use serde_json::{Value, json};

use super::{Directory, body};
use crate::site::{PASSWORD, cookie, request, session_set};

testkit::tests!(
    entra_id_provisions_somebody_from_the_first_day_to_the_last,
    entra_id_gives_a_role_by_a_group,
    okta_provisions_somebody_from_the_first_day_to_the_last,
    okta_gives_a_role_by_a_group,
    whoever_is_deactivated_is_signed_out_at_once,
    a_list_comes_in_pages_with_what_was_asked_for,
    the_interface_describes_itself,
);

const BY_GROUPS: &str = "[scim]\nrole_manager = 'Deans, Success, Student Success'";

async fn entra_id_provisions_somebody_from_the_first_day_to_the_last() {
    let d = Directory::with("").await;
    let by_name = "/Users?filter=userName+eq+%22ana.reyes%40north.example%22";
    assert_eq!(d.found(by_name).await, 0);
    let (status, made) = d.post("/Users", &body!("entra_user")).await;
    assert_eq!(status, 201, "{made}");
    let id = made["id"].as_str().unwrap().to_owned();
    assert_eq!(made["userName"], "Ana.Reyes@north.example");
    assert_eq!(made["externalId"], "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef");
    assert_eq!(made["emails"][0], json!({ "value": "ana.reyes@north.example", "type": "work", "primary": true }));
    assert_eq!((&made["active"], &made["meta"]["version"]), (&true.into(), &"W/\"1\"".into()));
    assert!(made["meta"]["location"].as_str().unwrap().ends_with(&format!("/scim/v2/Users/{id}")));
    assert!(made.get("title").is_none() && !made.to_string().contains("1704"), "what Docket does not keep");
    let (_, read) = d.get(&format!("/Users/{id}")).await;
    assert_eq!(read, made);
    assert_eq!(d.found(by_name).await, 1);
    assert_eq!(
        d.found("/Users?filter=externalId eq %220a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef%22".replace(' ', "%20").as_str())
            .await,
        1
    );

    let at = format!("/Users/{id}");
    let (status, changed) = d.patch(&at, &body!("entra_user_update")).await;
    assert_eq!((status, &changed["name"]["familyName"]), (200, &"Lund".into()));
    assert_eq!(changed["emails"][0]["value"], "ana.lund@north.example");
    let (_, renamed) = d.patch(&at, &body!("entra_user_rename")).await;
    assert_eq!(renamed["userName"], "Ana.Lund@north.example");
    assert_eq!(d.stands(&id).await, (Role::Coach, false));
    let (status, disabled) = d.patch(&at, &body!("entra_user_disable")).await;
    assert_eq!((status, &disabled["active"]), (200, &false.into()));
    assert_eq!(d.stands(&id).await, (Role::Coach, true));
    d.patch(&at, &body!("entra_user_enable")).await;
    assert_eq!(d.stands(&id).await, (Role::Coach, false));
    assert_eq!(d.send(Method::DELETE, &at, None).await, (204, Value::Null));
    assert_eq!(d.stands(&id).await, (Role::Coach, true));
    assert_eq!(d.get(&at).await.0, 404);
    // Whoever is hired again has the account of before.
    assert_eq!(d.made("/Users", &body!("entra_user")).await, id);
}

async fn entra_id_gives_a_role_by_a_group() {
    let d = Directory::with(BY_GROUPS).await;
    let user = d.made("/Users", &body!("entra_user")).await;
    assert_eq!(d.stands(&user).await, (Role::Coach, true));
    let group = d.made("/Groups", &body!("entra_group")).await;
    let at = format!("/Groups/{group}");
    assert_eq!(d.found("/Groups?excludedAttributes=members&filter=displayName+eq+%22Deans%22").await, 1);
    assert_eq!(d.patch(&at, &body!("entra_group_add", "{user}" = user)).await, (204, Value::Null));
    assert_eq!(d.stands(&user).await, (Role::Manager, false));
    let (_, whole) = d.get(&at).await;
    assert_eq!(
        (&whole["members"][0]["value"], &whole["members"][0]["display"]),
        (&json!(user), &json!("Ana.Reyes@north.example"))
    );
    let (_, without) = d.get(&format!("{at}?excludedAttributes=members")).await;
    assert_eq!((without.get("members"), &without["displayName"]), (None, &"Deans".into()));
    assert_eq!(d.found(&format!("/Groups?filter=id+eq+%22{group}%22+and+members+eq+%22{user}%22")).await, 1);
    let (_, in_it) = d.get(&format!("/Users/{user}")).await;
    assert_eq!(in_it["groups"][0]["display"], "Deans");
    d.patch(&at, &body!("entra_group_remove", "{user}" = user)).await;
    assert_eq!(d.stands(&user).await, (Role::Manager, true));
    d.patch(&at, &body!("entra_group_add", "{user}" = user)).await;
    assert_eq!(d.patch(&at, &body!("entra_group_rename")).await.0, 204);
    assert_eq!(d.stands(&user).await, (Role::Manager, true), "the group makes no role any more");
}

async fn okta_provisions_somebody_from_the_first_day_to_the_last() {
    let d = Directory::with("").await;
    assert_eq!(d.found("/Users?filter=userName%20eq%20%22bo.lind%40north.example%22&startIndex=1&count=100").await, 0);
    let id = d.made("/Users", &body!("okta_user")).await;
    let at = format!("/Users/{id}");
    let signed_in = d.site.caseload.accounts().sign_in("bo.lind@north.example", "1mz050nq", None).await;
    assert!(signed_in.is_err(), "no password is ever taken");
    let (status, replaced) = d.send(Method::PUT, &at, Some(&body!("okta_user_replace", "{user}" = id))).await;
    assert_eq!((status, &replaced["name"]["familyName"]), (200, &"Lindqvist".into()));
    assert_eq!(replaced["emails"][0]["value"], "bo.lindqvist@north.example");
    let (status, disabled) = d.patch(&at, &body!("okta_user_disable")).await;
    assert_eq!((status, &disabled["active"]), (200, &false.into()));
    assert_eq!(d.stands(&id).await, (Role::Coach, true));
    d.patch(&at, &body!("okta_user_enable")).await;
    assert_eq!(d.stands(&id).await, (Role::Coach, false));
}

async fn okta_gives_a_role_by_a_group() {
    let d = Directory::with(BY_GROUPS).await;
    let user = d.made("/Users", &body!("okta_user")).await;
    let mut second = body!("okta_user");
    (second["userName"], second["externalId"]) = (json!("cy@north.example"), json!("00u2"));
    let other = d.made("/Users", &second).await;
    let group = d.made("/Groups", &body!("okta_group", "{user}" = user)).await;
    let at = format!("/Groups/{group}");
    assert_eq!(d.stands(&user).await, (Role::Manager, false));
    assert_eq!(d.patch(&at, &body!("okta_group_rename", "{group}" = group)).await.0, 204);
    assert_eq!(d.stands(&user).await, (Role::Manager, false));
    assert_eq!(d.patch(&at, &body!("okta_group_members", "{user}" = user, "{other}" = other)).await.0, 204);
    assert_eq!([d.stands(&user).await, d.stands(&other).await], [(Role::Manager, true), (Role::Manager, false)]);
    let both = body!("okta_group_replace", "{user}" = user, "{other}" = other);
    let (status, replaced) = d.send(Method::PUT, &at, Some(&both)).await;
    assert_eq!((status, replaced["members"].as_array().unwrap().len()), (200, 2));
    assert_eq!(d.stands(&user).await, (Role::Manager, false));
    assert_eq!(d.send(Method::DELETE, &at, None).await.0, 204);
    assert_eq!([d.stands(&user).await, d.stands(&other).await], [(Role::Manager, true); 2]);
}

async fn whoever_is_deactivated_is_signed_out_at_once() {
    let d = Directory::with("").await;
    let mut coach = body!("okta_user");
    coach["userName"] = "coach".into();
    let id = d.made("/Users", &coach).await;
    let credentials = json!({ "username": "coach", "password": PASSWORD });
    let signed_in = d.site.server.post("/api/1/session").json(&credentials).await;
    let session = cookie(&session_set(signed_in.headers()));
    let me = async || {
        let asked = request(Method::GET, "/api/1/me", None).header("cookie", &session);
        d.site.send(asked.body(axum::body::Body::empty()).unwrap()).await.status().as_u16()
    };
    assert_eq!(me().await, 200);
    d.patch(&format!("/Users/{id}"), &body!("okta_user_disable")).await;
    assert_eq!(me().await, 401);
}

async fn a_list_comes_in_pages_with_what_was_asked_for() {
    let d = Directory::with("[scim]\npage = 2").await;
    for name in ["a", "b", "c"] {
        d.made("/Users", &json!({ "userName": name })).await;
    }
    let (_, page) = d.get("/Users?startIndex=2&count=50&attributes=userName").await;
    assert_eq!((&page["totalResults"], &page["startIndex"], &page["itemsPerPage"]), (&3.into(), &2.into(), &2.into()));
    let first = page["Resources"][0].as_object().unwrap();
    assert_eq!(first.keys().collect::<Vec<_>>(), ["id", "meta", "schemas", "userName"]);
    let (_, none) = d.get("/Users?count=0").await;
    assert_eq!((&none["totalResults"], &none["Resources"]), (&3.into(), &json!([])));
}

async fn the_interface_describes_itself() {
    let d = Directory::with("").await;
    let (_, config) = d.get("/ServiceProviderConfig").await;
    assert_eq!((&config["patch"]["supported"], &config["bulk"]["supported"]), (&true.into(), &false.into()));
    assert_eq!(config["filter"], json!({ "supported": true, "maxResults": 200 }));
    let (_, types) = d.get("/ResourceTypes").await;
    assert_eq!(types["totalResults"], 2);
    for kind in types["Resources"].as_array().unwrap() {
        let schema = kind["schema"].as_str().unwrap();
        let (status, described) = d.get(&format!("/Schemas/{schema}")).await;
        assert_eq!((status, &described["name"]), (200, &kind["name"]));
        assert_eq!(d.get(&format!("/ResourceTypes/{}", kind["id"].as_str().unwrap())).await.0, 200);
    }
    // What is shown of a user is described.
    let (_, made) = d.post("/Users", &body!("entra_user")).await;
    let (_, schema) = d.get("/Schemas/urn:ietf:params:scim:schemas:core:2.0:User").await;
    let described: Vec<&str> =
        schema["attributes"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    let common = ["schemas", "id", "externalId", "meta"];
    let told: Vec<&String> = made.as_object().unwrap().keys().filter(|name| !common.contains(&name.as_str())).collect();
    assert!(told.iter().all(|name| described.contains(&name.as_str())), "{told:?} of {described:?}");
}
