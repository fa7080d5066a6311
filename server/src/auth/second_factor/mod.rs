//! A code beside the password, as browsers and programs bring it: the sign-in that waits for it, the key that is offered for an app, and how
//! keys are sealed. What counts, `caseload` says.

pub mod by_code;
pub mod half;
pub mod offered;
pub mod qr_code;
pub mod sealing;
