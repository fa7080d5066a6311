//! One folder or file for each page: its parts, its server functions, and the islands in it.
//!
//! There is one way to make a page. Its address and whom it is for stand in one table (`app/src/server/routes.rs`). The server loads
//! what it shows and renders it whole (`app/src/server/sheets/`), so it is there before any script, and works without. What is shown and moves under the reader's hand is an island (`#[island]`): the selection
//! of people, the head of a task, the badge and the toast around every page. Only islands are in the module that browsers
//! download, so one more page costs nothing there. Forms are plain forms: of a server function, or of a route where the session
//! itself or a file is; they are answered by a redirect, and what was refused comes back in the address, sealed.
//!
//! `frontend/page.js` does what markup cannot: it brings the islands to life and has a page that moves ask for itself again. In
//! `frontend/forms.js` the draft of an email is kept while somebody types, the values of a long filter are found, characters and
//! seconds are counted, and menus close. From page to page the browser itself leads. A list is narrowed, sorted and turned over without that: what comes anew is merged into what is there
//! (Idiomorph). `frontend/go.js` opens the list of where one can go over any page.
//!
//! A page that moves says what it listens to and what it then asks for (`Pulse` in `components/frame`). When something of that has
//! happened, the browser asks for the page at that address and merges it, so that focus, what is open and what is ticked stay. A
//! list asks for the rows that it shows, wherever they would stand by then: rows never move, and newer ones are counted until
//! somebody asks for them. What stands for somebody says whom (`data-key`), and is never made into somebody else.
//!
//! What keys do is in the markup: a link, button or field names its keys in `data-keys`, and one listener
//! (`app/src/components/frame/keys.rs`) follows them. Theme, time zone and what is switched off stand on the document, written by the
//! server from the account's preferences.

pub mod admin;
pub mod approvals;
pub mod done;
pub mod forgotten_password;
pub mod go;
pub mod help;
pub mod import;
pub mod login;
pub mod login_code;
pub mod new_action;
pub mod people;
pub mod person;
pub mod reassign_by_list;
pub mod settings;
pub mod setup;
pub mod task;
pub mod tasks;
