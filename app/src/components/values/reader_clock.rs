//! The clock on the reader's wall: that of the time zone in their settings, which stands on the document, or of the device.

use js_sys::{Date, Function, Object, Reflect};
use leptos::prelude::document;
use model::preferences::DateFormat;
use wasm_bindgen::{JsCast, JsValue};

/// Year, month from 0, day, hour, minute, second.
pub type ClockReading = [u32; 6];

/// The attribute of the document with the name of the zone.
pub const ZONE: &str = "data-zone";

/// The attribute of the document that says how days are written.
pub const DATES: &str = "data-dates";

/// How the reader wants days to be written.
pub fn dates() -> DateFormat {
    let said = document().document_element().and_then(|root| root.get_attribute(DATES));
    DateFormat::named(&said.unwrap_or_default())
}

/// What the clock shows at a moment, in milliseconds since 1970.
pub fn read(at: f64) -> ClockReading {
    let at = Date::new(&JsValue::from_f64(at));
    let zone = document().document_element().and_then(|root| root.get_attribute(ZONE));
    zone.and_then(|zone| in_zone(&at, &zone)).unwrap_or_else(|| {
        [at.get_full_year(), at.get_month(), at.get_date(), at.get_hours(), at.get_minutes(), at.get_seconds()]
    })
}

/// By how many minutes the clock is behind UTC when it shows `typed`, as a form writes a local time.
pub fn behind(typed: &str) -> Option<f64> {
    let as_utc = Date::parse(&format!("{typed}Z"));
    let ahead = |at: f64| {
        let [year, month, day, hour, minute, _] = read(at);
        Date::parse(&format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}Z", month + 1)) - at
    };
    // The second look is at the moment itself, which may lie on the other side of a change of the clocks.
    (!as_utc.is_nan()).then(|| -ahead(as_utc - ahead(as_utc)) / 60_000.0)
}

/// Nothing where the browser does not know the zone.
fn in_zone(at: &Date, zone: &str) -> Option<ClockReading> {
    let options = Object::new();
    Reflect::set(&options, &"timeZone".into(), &zone.into()).ok()?;
    let write: Function = Reflect::get(at, &"toLocaleString".into()).ok()?.dyn_into().ok()?;
    // The Swedish way is 2026-11-21 14:05:09.
    let text = write.call2(at, &"sv-SE".into(), &options).ok()?.as_string()?;
    let parts: Vec<u32> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let [year, month, day, hour, minute, second] = parts[..] else { return None };
    Some([year, month.checked_sub(1)?, day, hour, minute, second])
}
