//! One folder or file for each page: the page with its resources, its parts, and its server functions.
//!
//! There are two sorts. Those that move by themselves (people, tasks, one task) are components that run in the browser as well. All
//! others are served (`served`): the server renders them whole (`app/src/server/sheets/`), and the browser puts their markup in
//! place without knowing how it is made, so that one more of them costs nothing to download. Their forms are plain forms, answered
//! by a redirect; what was refused comes back in the address, sealed. What scripts add to them is one small file that the module
//! does not know (`frontend/served.js`): it keeps the draft of an email while somebody types, finds the values of a long filter,
//! counts characters, counts down a hold, and closes menus.
//!
//! Markup that comes anew is grafted onto what is there (`app/src/components/fragment.rs`). What stands for somebody says whom
//! (`data-key`), and is never made into somebody else.
//!
//! The pages of administrators are served ones that move: the sheet says to which topics it listens and what it then asks for
//! (`Pulse` in `served`), the server renders it anew, and the browser grafts the new markup onto the old, so that focus, what is
//! open and what is ticked stay. A list asks for the rows that it shows, wherever they would stand by then: rows never move, and
//! newer ones are counted until somebody asks for them.
//!
//! What keys do is in the markup: a link, button or field names its keys in `data-keys`, and one listener
//! (`app/src/components/frame/keys.rs`) follows them. Theme, time zone and what is switched off stand on the document, written by the
//! server from the account's preferences.

pub mod admin;
pub mod done;
pub mod import;
pub mod login;
pub mod new_action;
pub mod not_found;
pub mod people;
pub mod person;
pub mod reassign_by_list;
pub mod served;
pub mod settings;
pub mod setup;
pub mod task;
pub mod tasks;
