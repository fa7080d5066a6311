//! The settings of mail.

use model::TaskId;
use std::time::Duration;

use lettre::{Address, message::Mailbox};

/// How mail is sent; see the settings under `mail`.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// Where it is handed over; `None`: there is no mail server.
    pub smtp_url: Option<String>,
    /// Whom it comes from.
    pub from: Mailbox,
    /// How long a message to many waits for second thoughts.
    pub hold: Duration,
    /// The most people of one email; `None`: any number.
    pub limit: Option<u64>,
    /// Who gets every message in place of those it is for.
    pub reroute: Option<Address>,
    /// Messages handed over at once, by all tasks of a process.
    pub concurrency: usize,
    /// How long the mail server may take with a message.
    pub timeout: Duration,
    /// Until a message is tried again that the mail server put off; then four times as long, and so on.
    pub retry: Duration,
    /// Who is told of tasks that are dead.
    pub operator: Option<Address>,
    /// Where people reach Docket, for links in notices; without a slash at its end.
    pub public_url: String,
}

impl MailSettings {
    /// The page of a task.
    pub fn link(&self, task: TaskId) -> String {
        format!("{}/tasks/{task}", self.public_url)
    }
}

impl Default for MailSettings {
    fn default() -> Self {
        MailSettings {
            smtp_url: None,
            from: Mailbox::new(Some("Docket".to_owned()), Address::new_dangerous("docket", "localhost")),
            hold: Duration::from_secs(60),
            limit: Some(500),
            reroute: None,
            concurrency: 5,
            timeout: Duration::from_secs(60),
            retry: Duration::from_secs(60),
            operator: None,
            public_url: "http://127.0.0.1:3000".to_owned(),
        }
    }
}

/// Reads `Name <address>` or an address.
///
/// # Errors
/// What is needed instead.
pub fn mailbox(text: &str) -> Result<Mailbox, String> {
    text.parse().map_err(|_| "an address is needed, such as Northfield College <docket@northfield.example>".to_owned())
}
