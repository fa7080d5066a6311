//! Messages leave after the hold, once each, and of each it is known what became of it.

mod copies;
mod hold;
mod mail_server;
mod outcomes;
mod stopped;
mod two_addresses;
