//! Every text that is kept, and who can fill it. One that is new and has no row here fails the test.

use std::collections::BTreeSet;

use queue::Database;
use sea_orm::ConnectionTrait;
use serde_json::Value;

/// How a column comes to hold what somebody typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// As it is: the test writes into every row of it, past all that is refused at the doors.
    Whole,
    /// By this expression in SQL, in which `$1` is the text: it has a form of its own.
    As(&'static str),
    /// By requests of the test, since it has a form of its own.
    ByDoor,
    /// Only ever with words and keys of ours, or with the keys of a provider, which no page shows.
    Ours,
}

use Filled::{As, ByDoor, Ours, Whole};

/// The columns of texts, by table.
pub const COLUMNS: &[(&str, &[(&str, Filled)])] = &[
    ("access_token", &[("token_hash", Ours), ("name", Whole), ("scope", Ours), ("used_from", Whole)]),
    ("address_wish", &[("address", Whole), ("token_hash", Ours)]),
    ("passkey", &[("name", Whole), ("credential_id", Ours), ("public_key", Ours), ("device_state", Ours)]),
    ("passkey_question", &[("secret_hash", Ours), ("purpose", Ours), ("state", Ours)]),
    ("password_link", &[("purpose", Ours), ("address", Whole), ("token_hash", Ours)]),
    ("allowance", &[("what", Ours)]),
    (
        "account",
        &[
            ("username", Whole),
            ("password_hash", Ours),
            ("password_state", Ours),
            ("role", Ours),
            ("permissions", Ours),
            ("preferences", Ours),
        ],
    ),
    ("account_identity", &[("issuer", Ours), ("subject", Ours), ("provider", Ours)]),
    ("approval", &[("skipped", Ours), ("decision", Ours), ("note", Whole)]),
    (
        "audit",
        &[
            ("action", Ours),
            ("object_kind", Ours),
            ("object_id", Ours),
            ("detail", ByDoor),
            ("credential", Ours),
            ("source", Ours),
            ("burst", Ours),
        ],
    ),
    ("audit_redaction", &[("detail", Ours)]),
    ("authenticator_app", &[("sealed_key", Ours)]),
    ("bulk_preview", &[("verb", Ours), ("filter", As("json_object('owner', $1)")), ("tasks", Ours)]),
    ("coach_wish", &[("wanted", Whole)]),
    // Pages show nothing of what the directory says; the name of an account is that of its person.
    ("directory_group", &[("display_name", Ours), ("name_key", Ours), ("external_id", Ours)]),
    (
        "directory_user",
        &[
            ("user_name", Ours),
            ("name_key", Ours),
            ("external_id", Ours),
            ("given_name", Ours),
            ("family_name", Ours),
            ("display_name", Ours),
            ("email", Ours),
        ],
    ),
    ("directory_token", &[("name", Ours), ("token_hash", Ours), ("used_from", Ours)]),
    ("early_alert", &[("alert_reason", Ours), ("comment", Whole)]),
    ("email_draft", &[("content", ByDoor)]),
    ("email_template", &[("name", Whole), ("subject", Whole), ("body", Whole)]),
    ("erased", &[("school_id_hash", Ours)]),
    ("export", &[("path", Whole), ("format", Ours), ("sha256", Ours)]),
    // Kept while an import runs, and read by it alone.
    ("import_choice", &[("person", Whole), ("cells", Whole)]),
    (
        "import_matching",
        &[
            ("name", Whole),
            ("content", As("json_object('columns', json_object($1, ''), 'meanings', json('{}'), 'dates', json('{}'))")),
        ],
    ),
    ("journal_entry", &[("entry", Whole)]),
    ("known_place", &[("place", Ours)]),
    ("notice", &[("purpose", Ours), ("address", Whole), ("subject", Whole), ("body", Whole), ("state", Ours)]),
    (
        "outbox",
        &[
            ("address", Whole),
            ("address_key", Whole),
            ("copy_address", Whole),
            ("message_id", Whole),
            ("state", Ours),
            ("reply", Whole),
            ("bounce_note", Whole),
        ],
    ),
    ("paused_kind", &[("kind", Ours), ("reason", Whole)]),
    (
        "person",
        &[
            ("school_id", Whole),
            ("first_name", Whole),
            ("middle_name", Whole),
            ("last_name", Whole),
            ("primary_email", Whole),
            ("secondary_email", Whole),
            ("student_type", Whole),
            ("home_campus", Whole),
            ("declared_major", Whole),
            ("start_term", Whole),
            ("program_status", Ours),
            ("change_reason", Ours),
            ("extra", As("json_object($1, $1)")),
            ("sort_key", Whole),
            ("given_key", Whole),
            ("school_key", Whole),
            ("email_key", Whole),
        ],
    ),
    ("person_extra", &[("name", Whole), ("value", Whole)]),
    (
        "prepared_import",
        &[("file", Whole), ("blocks", Ours), ("profile", ByDoor), ("matching", ByDoor), ("counted", ByDoor)],
    ),
    ("preview", &[("content", ByDoor)]),
    (
        "process",
        &[("id", Whole), ("system_id", Whole), ("host", Whole), ("version", Whole), ("kinds", As("json_array($1)"))],
    ),
    ("program_status_history", &[("program_status", Ours), ("change_reason", Ours), ("comment", Whole)]),
    (
        "queued_task",
        &[
            ("execution_component_name", Ours),
            ("execution_spec", ByDoor),
            ("execution_state", Ours),
            ("workflow_status", Ours),
            ("workflow_status_desc", Whole),
            ("scheduled_by_process", Whole),
            ("idempotency_key", Whole),
            ("request_hash", Ours),
            ("finish_reason", Whole),
        ],
    ),
    ("recovery_code", &[("code_hash", Ours)]),
    ("remembered_browser", &[("secret_hash", Ours)]),
    ("saved_view", &[("name", Whole), ("query", ByDoor)]),
    ("schedule", &[("name", Ours), ("expression", Whole), ("time_zone", Whole)]),
    ("schedule_fire", &[("schedule", Ours), ("process", Whole), ("outcome", Ours), ("detail", Whole)]),
    ("scheduler_lock", &[("name", Whole), ("locked_by", Whole)]),
    ("seaql_migrations", &[("version", Ours)]),
    ("selection", &[("content", ByDoor)]),
    ("server_key", &[("secret", Ours)]),
    ("session", &[("id", Ours), ("data", Ours), ("issuer", Ours), ("subject", Ours), ("provider_session", Ours)]),
    ("setup_link", &[("token_hash", Ours)]),
    ("sign_in_failure", &[("id", Ours)]),
    ("task_attempt", &[("process", Whole), ("outcome", Ours), ("error_code", Whole), ("detail", Whole)]),
    ("task_failure", &[("fingerprint", Whole), ("kind", Ours)]),
    (
        "task_person",
        &[("given", Whole), ("outcome", Ours), ("reason", Whole), ("before_value", Whole), ("after_value", Whole)],
    ),
    ("task_verb", &[("verb", Ours), ("reason", Whole)]),
    ("throughput", &[("kind", Whole), ("waits", Ours), ("runs", Ours)]),
];

/// `table.column` with how it is filled.
pub fn columns() -> impl Iterator<Item = (&'static str, &'static str, Filled)> {
    COLUMNS.iter().flat_map(|(table, columns)| columns.iter().map(|(column, filled)| (*table, *column, *filled)))
}

/// The columns of texts in the schema.
pub async fn in_schema(db: &Database) -> BTreeSet<String> {
    let sql = "SELECT m.name || '.' || c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
               WHERE m.type = 'table' AND (c.type LIKE '%text%' OR c.type LIKE '%char%' OR c.type LIKE '%json%')";
    let rows = db.reader().query_all_raw(db.statement(sql, [])).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// The texts that requests of programs hold, by their names: `doors.rs` or a column above is filled by each.
pub const REQUESTS: &[&str] = &[
    "body",
    "cause",
    "cc",
    "coach",
    "code",
    "comment",
    "error",
    "extra",
    "homeCampus",
    "kind",
    "major",
    "name",
    "note",
    "owner",
    "password",
    "process",
    "q",
    "reason",
    "schoolId",
    "schoolIds",
    "startTerm",
    "studentType",
    "subject",
    "username",
];

/// The names of texts in the bodies of requests, as the document of the interface has them; what is one of several words, an
/// id or an instant is no text.
pub fn in_requests(document: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for operation in document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        gather(document, schema, "", &mut found);
    }
    found
}

fn gather(document: &Value, schema: &Value, name: &str, found: &mut BTreeSet<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        return gather(document, document.pointer(reference.trim_start_matches('#')).unwrap(), name, found);
    }
    let kind = &schema["type"];
    let is_text = kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&"string".into()));
    if is_text && schema.get("enum").is_none() && schema.get("format").is_none() && schema.get("const").is_none() {
        found.insert(name.to_owned());
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        gather(document, inner, name, found);
    }
    for inner in
        ["oneOf", "anyOf", "allOf"].iter().flat_map(|several| schema[*several].as_array().into_iter().flatten())
    {
        gather(document, inner, name, found);
    }
    gather_inner(document, schema, name, found);
}

fn gather_inner(document: &Value, schema: &Value, name: &str, found: &mut BTreeSet<String>) {
    for inner in
        ["items", "additionalProperties"].iter().filter_map(|key| schema.get(*key)).filter(|inner| inner.is_object())
    {
        gather(document, inner, name, found);
    }
}
