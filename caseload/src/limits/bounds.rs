//! How much one account may have, as whoever runs Docket has set it.

/// How much one account may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Live pages, and programs that listen, in each process.
    pub streams: u32,
    /// Tasks that wait to be run, scheduled and held ones among them.
    pub waiting_tasks: u32,
    /// Tasks that wait for the approval of a second person.
    pub approvals: u32,
    /// Previews that are kept, and checks of many tasks; a newer one takes the place of the oldest.
    pub previews: u32,
    /// Selections that are kept, in the same way.
    pub selections: u32,
    /// Templates of emails.
    pub templates: u32,
    /// Access tokens that are neither revoked nor expired.
    pub tokens: u32,
    /// Passkeys.
    pub passkeys: u32,
    /// Drafts that were put aside for another one, in the same way as previews.
    pub drafts: u32,
    /// Saved views of the people page.
    pub views: u32,
    /// Files that are being prepared for import, in the same way as previews.
    pub prepared_imports: u32,
    /// Matchings of columns that are kept under a name.
    pub matchings: u32,
    /// Test messages within an hour.
    pub test_mails: u32,
    /// Links within an hour that verify an address of one's own.
    pub address_links: u32,
    /// Links within an hour to choose a password, whoever asks for them.
    pub password_links: u32,
    /// What is being sent and not yet answered, in MiB, in each process.
    pub bodies: u32,
    /// Requests that are not wholly answered yet, in each process.
    pub at_once: u32,
    /// Requests a second, in each process, in the long run.
    pub requests: u32,
    /// Requests one right after the other, after a rest.
    pub burst: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            streams: 8,
            waiting_tasks: 500,
            approvals: 50,
            previews: 20,
            selections: 50,
            templates: 50,
            tokens: 20,
            passkeys: 10,
            drafts: 20,
            views: 50,
            prepared_imports: 5,
            matchings: 50,
            test_mails: 20,
            address_links: 5,
            password_links: 3,
            bodies: 8,
            at_once: 24,
            requests: 50,
            burst: 200,
        }
    }
}
