//! The directory of the institution, which provisions staff: it makes their accounts, changes them, and shuts them when their owners leave.
//! It is known by a token of its own, acts on its own users and groups alone, and never sees a password.
//!
//! What it says of somebody is kept beside their account (`directory_user`), so that it reads what it wrote. What follows from that for the
//! account is decided in one place, [`standing`], whichever of users, groups and members has changed.

mod caller;
mod filter;
mod group_name;
mod group_rows;
mod groups;
mod new_users;
mod person;
mod refusals;
mod rule;
mod standing;
mod tokens;
mod user_rows;
mod users;

pub use caller::DirectoryCaller;
pub use filter::{FoundPart, GroupTerm, Slice, UserTerm};
pub use group_name::DirectoryGroupName;
pub use group_rows::DirectoryGroup;
pub use groups::GroupEdit;
pub use person::DirectoryPerson;
pub use rule::{DirectoryBounds, DirectoryRule};
pub use tokens::DirectoryToken;
pub use user_rows::DirectoryUser;
