//! What the two databases write differently, as expressions on whole numbers.

use queue::Database;
use uuid::Uuid;

/// The instant of so many microseconds since 1970, as the driver writes it.
pub fn at(db: &Database, micros: &str) -> String {
    match db.is_postgres() {
        true => format!("(timestamptz 'epoch' + ({micros}) * interval '1 microsecond')"),
        false => format!(
            "(strftime('%Y-%m-%dT%H:%M:%S', ({micros}) / 1000000, 'unixepoch') || printf('.%06d+00:00', ({micros}) % 1000000))"
        ),
    }
}

/// The instant of so many seconds since 1970, as the driver writes a whole one.
pub fn whole(db: &Database, seconds: &str) -> String {
    match db.is_postgres() {
        true => format!("(timestamptz 'epoch' + ({seconds}) * interval '1 second')"),
        false => format!("strftime('%Y-%m-%dT%H:%M:%S+00:00', {seconds}, 'unixepoch')"),
    }
}

/// The id of version 7 of a task that was submitted then, told from others by its number.
pub fn id_of(db: &Database, micros: &str, number: &str) -> String {
    match db.is_postgres() {
        true => format!("CAST({} AS uuid)", digits_on_postgres(micros, number)),
        false => format!("unhex(printf('%012x7%03x8%015x', {micros} / 1000, {number} & 4095, {number}))"),
    }
}

/// The same as a text.
pub fn id_text_of(db: &Database, micros: &str, number: &str) -> String {
    match db.is_postgres() {
        true => format!("CAST(CAST({} AS uuid) AS text)", digits_on_postgres(micros, number)),
        // The last number is below 2 to the power of 48.
        false => format!(
            "printf('%08x-%04x-7%03x-8000-%012x', {micros} / 1000 >> 16, {micros} / 1000 & 65535, {number} & 4095, {number})"
        ),
    }
}

fn digits_on_postgres(micros: &str, number: &str) -> String {
    format!(
        "lpad(to_hex({micros} / 1000), 12, '0') || '7' || lpad(to_hex({number} & 4095), 3, '0') || '8'
            || lpad(to_hex({number}), 15, '0')"
    )
}

/// An id that is known.
pub fn uuid(db: &Database, id: Uuid) -> String {
    match db.is_postgres() {
        true => format!("CAST('{id}' AS uuid)"),
        false => format!("x'{}'", id.simple()),
    }
}

/// A table `name (n)` of the numbers from `from` up to `to`, without that one.
pub fn numbers(name: &str, from: u64, to: u64) -> String {
    format!("{name} (n) AS (SELECT CAST({from} AS bigint) UNION ALL SELECT n + 1 FROM {name} WHERE n + 1 < {to})")
}

/// Of these expressions the one whose turn it is at this number, again and again.
pub fn choice(number: &str, of: impl IntoIterator<Item = String>) -> String {
    let cases: Vec<String> = of.into_iter().enumerate().map(|(at, value)| format!("WHEN {at} THEN {value}")).collect();
    format!("CASE {number} % {} {} END", cases.len(), cases.join(" "))
}

/// A text, which has no quotation marks in it.
pub fn text(text: &str) -> String {
    format!("'{text}'")
}
