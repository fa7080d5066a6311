//! Files in a store that several machines share.

use serde_json::json;
use testkit::{BUCKET, KEY, On, S3Store};

use crate::binary::{Place, wait};

testkit::tests!(an_export_made_by_one_machine_is_downloaded_from_another);

async fn an_export_made_by_one_machine_is_downloaded_from_another() {
    let (place, store) = (Place::on(On::Postgres).await, S3Store::start().unwrap());
    place.command(&["people", "generate", "--count", "3000", "--seed", "7"]);
    let (address, endpoint) = (format!("s3://{BUCKET}/exports"), store.endpoint());
    let settings = [
        ("DOCKET__EXPORT__STORE", address.as_str()),
        ("DOCKET__EXPORT__S3__ENDPOINT", endpoint.as_str()),
        ("DOCKET__EXPORT__S3__ACCESS_KEY_ID", KEY.0),
        ("DOCKET__EXPORT__S3__SECRET_ACCESS_KEY", KEY.1),
    ];
    let web = place.start("web", "web", &settings);
    let _worker = place.start("one", "worker", &settings);
    for format in ["CSV", "XLSX"] {
        let task = web.post("/api/1/people/export", &json!({ "target": { "everyone": true }, "format": format }));
        let id = task["id"].as_str().unwrap();
        wait("the export", || (web.get(&format!("/api/1/tasks/{id}"))["status"] == "COMPLETED").then_some(()));
        let answer = ureq::get(format!("http://{}/api/1/tasks/{id}/file", web.address))
            .header("authorization", format!("Bearer {}", place.token))
            .call()
            .unwrap();
        let file = answer.into_body().read_to_vec().unwrap();
        match format {
            "CSV" => assert_eq!(String::from_utf8(file).unwrap().lines().count(), 3_001),
            _ => assert_eq!(&file[..2], b"PK"),
        }
        assert!(store.folder().join("exports").join(id).is_dir());
    }
    let here = std::fs::read_dir(place.folder.path().join("data/exports"));
    assert_eq!(here.map_or(0, Iterator::count), 0, "nothing on a disk of this machine");
    let shown = place.try_command(&["config"], &settings);
    assert!(!String::from_utf8_lossy(&shown.stdout).contains(KEY.1));
}
