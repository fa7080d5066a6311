//! The answers of the REST interface, word for word; ids and instants are replaced.

use axum_test::TestResponse;
use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::site::{self, MINE, Site, THEIRS, steady};

testkit::tests!(
    me_says_who_calls,
    people_are_listed_within_reach_a_page_at_a_time,
    a_preview_says_what_would_happen_and_to_whom,
    a_submit_is_accepted_and_the_task_can_be_followed,
    the_inside_of_a_task_is_in_no_answer,
    the_ledger_is_a_download_for_whoever_accepts_csv,
    the_same_key_means_the_same_task,
    tasks_are_listed_by_state,
    a_task_that_is_over_can_be_neither_retried_nor_abandoned,
    a_waiting_task_is_abandoned_once,
    self_tests_are_tasks_like_others,
    a_refusal_is_readable_for_whoever_takes_compressed_answers,
);

const CHANGE: &str = "/api/1/people/program-status";

fn body(answer: &TestResponse) -> Value {
    steady(answer.json())
}

async fn signed_in(username: &str) -> Site {
    let site = Site::new().await;
    site.sign_in(username).await;
    site
}

async fn me_says_who_calls() {
    let site = signed_in("coach").await;
    assert_json_snapshot!(body(&site.server.get("/api/1/me").await), @r#"
    {
      "name": "Test coach",
      "permissions": [
        "program_status",
        "watch",
        "export",
        "early_alert",
        "email"
      ],
      "personId": "[id]",
      "role": "coach",
      "username": "coach"
    }
    "#);
}

async fn people_are_listed_within_reach_a_page_at_a_time() {
    let site = signed_in("coach").await;
    let page = site.server.get("/api/1/people?limit=1&sort=schoolId").await;
    assert_json_snapshot!(body(&page), @r#"
    {
      "items": [
        {
          "activated": true,
          "coachName": "T. coach",
          "declaredMajor": "Early Childhood Education",
          "homeCampus": "Downtown",
          "id": "[id]",
          "name": "Jakubowski, Erich",
          "pending": null,
          "primaryEmail": "erich.jakubowski.g1-0000001@example.org",
          "programStatus": "ACTIVE",
          "reached": true,
          "schoolId": "G1-0000001",
          "startTerm": "Spring 2023",
          "statusSince": "[date]",
          "studentType": "First-time",
          "watched": false
        }
      ],
      "next": "[next]",
      "total": {
        "exact": true,
        "value": 12
      }
    }
    "#);
    let mut seen = Vec::new();
    let mut next = String::new();
    loop {
        let page: Value = site.server.get(&format!("/api/1/people?scope=all&limit=5{next}")).await.json();
        seen.extend(page["items"].as_array().unwrap().iter().map(|row| row["schoolId"].to_string()));
        match page["next"].as_str() {
            Some(after) => next = format!("&after={after}"),
            None => break,
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len() as u64, MINE);
    site.sign_in("manager").await;
    let all: Value = site.server.get("/api/1/people").await.json();
    assert_eq!(all["total"], json!({ "value": MINE + THEIRS, "exact": true }));
}

async fn a_preview_says_what_would_happen_and_to_whom() {
    let site = signed_in("coach").await;
    let target = json!({ "schoolIds": ["G1-0000001", "G2-0000001", "nobody"] });
    let question = json!({ "target": target, "programStatus": "TRANSITIONED", "comment": "done here" });
    let answer = site.server.post(&format!("{CHANGE}/preview")).json(&question).await;
    assert_json_snapshot!(body(&answer), @r#"
    {
      "action": {
        "comment": "done here",
        "kind": "program-status",
        "programStatus": "TRANSITIONED"
      },
      "countedDate": "[date]",
      "driftAllowed": 1,
      "everyone": false,
      "frozen": true,
      "limit": null,
      "needsNumber": false,
      "pendingElsewhere": 0,
      "previewToken": "[id]",
      "refusal": null,
      "sample": [
        {
          "coachName": "T. coach",
          "name": "Jakubowski, Erich",
          "now": "Active",
          "personId": "[id]",
          "schoolId": "G1-0000001",
          "then": "Transitioned"
        }
      ],
      "skipped": [
        {
          "count": 2,
          "label": "not found",
          "reason": "NOT_FOUND"
        },
        {
          "count": 0,
          "label": "not in the caseload",
          "reason": "OUT_OF_REACH"
        },
        {
          "count": 0,
          "label": "not activated",
          "reason": "NOT_ACTIVATED"
        },
        {
          "count": 0,
          "label": "already Transitioned",
          "reason": "ALREADY_THERE"
        }
      ],
      "total": 3,
      "willChange": 1
    }
    "#);
}

async fn a_submit_is_accepted_and_the_task_can_be_followed() {
    let site = signed_in("coach").await;
    let change = json!({ "target": { "schoolIds": ["G1-0000001", "nobody"] }, "programStatus": "TRANSITIONED", "reason": "spring" });
    let answer = site.server.post(CHANGE).json(&change).await;
    assert_eq!(answer.status_code(), 202);
    let id = answer.json::<Value>()["id"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("location"), format!("/api/1/tasks/{id}").as_str());
    assert_json_snapshot!(body(&answer), @r#"
    {
      "createdBy": "[id]",
      "createdDate": "[date]",
      "id": "[id]",
      "modifiedBy": "[id]",
      "modifiedDate": "[date]"
    }
    "#);
    site.work().await;
    assert_json_snapshot!(body(&site.server.get(&format!("/api/1/tasks/{id}")).await), @r#"
    {
      "abandonedByName": null,
      "attempt": 1,
      "canAbandon": false,
      "canRepeat": true,
      "canResend": [],
      "canRetry": false,
      "canUndo": true,
      "children": [],
      "createdDate": "[date]",
      "facts": [
        [
          "Change",
          "Program status to Transitioned"
        ]
      ],
      "failed": 0,
      "failures": 0,
      "filterQuery": null,
      "finishReason": null,
      "id": "[id]",
      "keptUntil": "[date]",
      "kind": "program-status",
      "label": "Done",
      "maxFailures": 5,
      "modifiedDate": "[date]",
      "ownerId": "[id]",
      "ownerName": "Test coach",
      "process": null,
      "reason": "spring",
      "reasons": [
        {
          "count": 1,
          "label": "not found",
          "outcome": "SKIPPED",
          "reason": "NOT_FOUND"
        }
      ],
      "skipped": 1,
      "startedDate": "[date]",
      "state": "DONE",
      "status": "COMPLETED",
      "stoppedDate": "[date]",
      "succeeded": 1,
      "summary": "1 person changed to Transitioned",
      "timeline": [
        {
          "date": "[date]",
          "kind": "ENDED",
          "note": null,
          "text": "Done"
        },
        {
          "date": "[date]",
          "kind": "STARTED",
          "note": null,
          "text": "Started"
        },
        {
          "date": "[date]",
          "kind": "SUBMITTED",
          "note": "2 people",
          "text": "Submitted by Test coach"
        }
      ],
      "title": "Set status to Transitioned",
      "total": 2,
      "triggerDate": "[date]",
      "trouble": null,
      "uncertain": 0
    }
    "#);
    assert_json_snapshot!(body(&site.server.get(&format!("/api/1/tasks/{id}/people")).await), @r#"
    {
      "items": [
        {
          "after": "Transitioned",
          "before": "Active",
          "date": "[date]",
          "name": "Jakubowski, Erich",
          "outcome": "DONE",
          "personId": "[id]",
          "position": 1,
          "reason": null,
          "reasonLabel": null,
          "schoolId": "G1-0000001"
        },
        {
          "after": null,
          "before": null,
          "date": "[date]",
          "name": "nobody",
          "outcome": "SKIPPED",
          "personId": null,
          "position": 2,
          "reason": "NOT_FOUND",
          "reasonLabel": "not found",
          "schoolId": null
        }
      ],
      "next": null,
      "total": {
        "exact": true,
        "value": 2
      }
    }
    "#);
}

async fn the_inside_of_a_task_is_in_no_answer() {
    let site = Site::new().await;
    let id = site.finished_task().await;
    site.sign_in("admin").await;
    for path in ["/api/1/tasks?scope=all", &format!("/api/1/tasks/{id}"), &format!("/api/1/tasks/{id}/people")] {
        let text = site.server.get(path).await.text();
        assert!(!text.contains("execution") && !text.contains("workflow"), "{path}: {text}");
    }
}

async fn the_ledger_is_a_download_for_whoever_accepts_csv() {
    let site = Site::new().await;
    let id = site.finished_task().await;
    site.sign_in("coach").await;
    let answer = site.server.get(&format!("/api/1/tasks/{id}/people")).add_header("accept", "text/csv").await;
    assert_eq!(answer.content_type(), "text/csv; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.header("content-disposition").to_str().unwrap().starts_with("attachment; filename=\"task-"));
    let text = answer.text();
    let lines: Vec<_> = text.split_terminator("\r\n").collect();
    let titles = "position,personId,schoolId,name,outcome,reason,reasonLabel,before,after,date";
    let titles = format!("\"{}\"", titles.replace(',', "\",\""));
    assert_eq!(lines[0].trim_start_matches('\u{feff}'), titles);
    assert_eq!(lines.len() as u64, MINE + 1);
    assert!(lines[1].starts_with("\"1\","), "{}", lines[1]);
    let failed =
        site.server.get(&format!("/api/1/tasks/{id}/people?outcome=FAILED")).add_header("accept", "text/csv").await;
    assert_eq!(failed.text().lines().count(), 1);
    let file = site.server.get(&format!("/tasks/{id}/people.csv?bom=false")).await.text();
    assert!(file.starts_with("\"Position\",\"Person ID\",\"School ID\",\"Name\","), "people get words: {file}");
}

async fn the_same_key_means_the_same_task() {
    let site = signed_in("coach").await;
    let change = |status: &str| json!({ "target": { "schoolIds": ["G1-0000001"] }, "programStatus": status });
    let send =
        async |status: &str| site.server.post(CHANGE).json(&change(status)).add_header("idempotency-key", "k1").await;
    let (first, again) = (send("INACTIVE").await, send("INACTIVE").await);
    assert_eq!((first.status_code().as_u16(), again.status_code().as_u16()), (202, 202));
    assert_eq!(first.json::<Value>()["id"], again.json::<Value>()["id"]);
    let other = send("ACTIVE").await;
    assert_eq!(other.status_code(), 422);
    assert_eq!(other.json::<Value>()["code"], "idempotency_key_reused");
}

async fn tasks_are_listed_by_state() {
    let site = Site::new().await;
    site.finished_task().await;
    site.sign_in("coach").await;
    for (query, count) in [
        ("", 1),
        ("?status=COMPLETED", 1),
        ("?status=QUEUED&status=EXECUTING", 0),
        ("?state=DONE&state=DONE_WITH_PROBLEMS", 1),
        ("?kind=program-status", 1),
        ("?kind=self-test", 0),
        ("?scope=mine&limit=1", 1),
    ] {
        let page: Value = site.server.get(&format!("/api/1/tasks{query}")).await.json();
        assert_eq!(page["items"].as_array().unwrap().len(), count, "{query}");
    }
    assert_eq!(site.server.get("/api/1/tasks?scope=all").await.status_code(), 403);
}

async fn a_task_that_is_over_can_be_neither_retried_nor_abandoned() {
    let site = Site::new().await;
    let id = site.finished_task().await;
    site.sign_in("coach").await;
    for (verb, body) in [("retry", json!({})), ("abandon", json!({ "reason": "too late" }))] {
        let answer = site.server.post(&format!("/api/1/tasks/{id}/{verb}")).json(&body).await;
        assert_eq!(answer.status_code(), 409);
        assert_eq!(answer.json::<Value>()["currentStatus"], "COMPLETED");
    }
}

async fn a_waiting_task_is_abandoned_once() {
    let site = signed_in("coach").await;
    let later = site.test_db.clock.now() + std::time::Duration::from_secs(3_600);
    let change = json!({ "target": { "everyone": true }, "programStatus": "INACTIVE", "triggerDate": later });
    let submitted = site.server.post(CHANGE).json(&change).await;
    assert_eq!(submitted.status_code(), 202, "{}", submitted.text());
    let id = submitted.json::<Value>()["id"].as_str().unwrap().to_owned();
    let abandon = async || site.server.post(&format!("/api/1/tasks/{id}/abandon")).json(&json!({})).await.status_code();
    assert_eq!((abandon().await.as_u16(), abandon().await.as_u16()), (202, 409));
    let task: Value = site.server.get(&format!("/api/1/tasks/{id}")).await.json();
    assert_eq!((&task["state"], &task["canAbandon"]), (&json!("CANCELLED"), &json!(false)));
}

async fn self_tests_are_tasks_like_others() {
    let site = Site::with("queue.self_test = true").await;
    site.sign_in("admin").await;
    let answer = site.server.post("/api/1/admin/self-test").json(&json!({ "count": 3, "chunks": 2 })).await;
    assert_eq!((answer.status_code().as_u16(), answer.json::<Value>().as_array().unwrap().len()), (202, 3));
    site.work().await;
    let page: Value = site.server.get("/api/1/tasks?kind=self-test&state=DONE").await.json();
    assert_eq!(page["total"]["value"], 3);
}

/// It said that it was compressed, and was not: no browser could read it.
async fn a_refusal_is_readable_for_whoever_takes_compressed_answers() {
    let site = Site::new().await;
    let answer = site.server.post("/login").add_header("accept-encoding", "gzip").text("no form").await;
    assert_eq!(answer.status_code(), 415);
    let said: Value = serde_json::from_str(&site::decompressed(answer.headers(), answer.as_bytes())).unwrap();
    assert_eq!(said["status"], 415);
}
