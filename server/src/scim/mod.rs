//! SCIM 2.0 (RFC 7643, RFC 7644), by which the directory of the institution provisions staff: a door to the use cases of
//! [`caseload::directory`], which decodes, calls and answers. What the two big directories send beyond the letter is understood, and what
//! Docket does not keep is passed over.
//!
//! It describes itself by `/ServiceProviderConfig`, `/ResourceTypes` and `/Schemas`, so the document of the REST interface leaves it out.

pub mod answers;
mod asked;
pub mod discovery;
mod filter;
mod group_shape;
pub mod groups;
mod list;
mod patch;
mod patch_group;
mod patch_user;
mod user_shape;
pub mod users;
