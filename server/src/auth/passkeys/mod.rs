//! Passkeys as browsers bring them: what their device is asked, for which the browser keeps a secret, and the sign-ins that come of the answer.
//! What counts, `caseload` says.

pub mod beside_password;
pub mod question;
pub mod whole_sign_in;
