//! Who is at the door.

use caseload::throttle::Browser;

use crate::web::client_address::Source;

/// Who is at the door, as far as can be told before they have said their name.
pub struct Visitor {
    pub source: Source,
    /// `Firefox on Linux`.
    pub device: Option<String>,
    /// Where somebody has signed in before.
    pub browser: Option<Browser>,
}
