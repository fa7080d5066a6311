//! Help for administrators.

use super::{
    article::{
        Article,
        HelpBlock::{List, Text, Words},
        HelpWord::{Plain, Stalled},
        PictureOf, pictured, section, step,
    },
    topic::Topic,
};

pub const QUEUE: Article = Article {
    lead: "One page says whether tasks run as they should, and if not, what to do first.",
    steps: &[
        step("Open “Queue”.", "The badge beside the title says whether all is well."),
        pictured(
            "Read the problems, worst first.",
            "Each line has a button that leads to where something can be done.",
            PictureOf::Attention,
            "If there is no list here, there is nothing to do.",
        ),
        step(
            "Press a number to see its tasks.",
            "Waiting, running, waiting to retry, failed and stalled tasks each have a list.",
        ),
        step(
            "Press a task.",
            "Its page says why it does not run, what went wrong in each attempt, and what you can do.",
        ),
    ],
    sections: &[
        section(
            "words",
            "What the words mean",
            &[Words(&[
                (Plain("Slots"), "How many tasks all running processes can run at the same time."),
                (Plain("Oldest waiting"), "For how long the task that is next has been due."),
                (
                    Stalled,
                    "A running task that has made no progress before its deadline. Docket returns it to the queue automatically; if not, open the task and press “Put back in the queue”.",
                ),
                (Plain("Median, 95th percentile"), "Half, or 95 of 100, are not above it."),
            ])],
        ),
        section(
            "more",
            "Where to look next",
            &[List(&[
                "Processes: which are running, and what each of them does.",
                "Locks: what is held so that only one process does it, and since when.",
                "Schedules: the recurring jobs, when each ran last and runs next.",
                "Settings in effect: what each is for, its value and where it came from. Search them by what they are about.",
            ])],
        ),
    ],
    related: &[Topic::RetryOrClose, Topic::PauseKind, Topic::States],
};

pub const RETRY_OR_CLOSE: Article = Article {
    lead: "A task that failed {failures} times is not retried automatically. Retry it once the cause is fixed, or close it for good.",
    steps: &[
        step(
            "Open “Failures”.",
            "Tasks that failed for one cause are listed together, with what to do, how many people and since when.",
        ),
        step("Press “Retry” beside a cause.", "Or press the cause to see its tasks and the full error."),
        step("Read which tasks it is about.", "Those that cannot be retried now are counted, with the reason."),
        pictured(
            "Type a reason and press the button.",
            "The reason is kept in the audit trail. Owners see it with your name.",
            PictureOf::Act,
            "The same form is on the page of each task.",
        ),
    ],
    sections: &[
        section(
            "retry",
            "What a retry does",
            &[Text(
                "A task resumes with what is not done, and its earlier failures no longer count. One that waits to retry starts now. Nobody is processed twice.",
            )],
        ),
        section(
            "close",
            "What closing does",
            &[Text("A closed task never runs again. Changes already made are kept, and its owner can undo them.")],
        ),
        section(
            "some",
            "Some of many tasks",
            &[Text(
                "Select tasks in “All tasks” and choose what to do with them. You can also retry or close all tasks that match the filters.",
            )],
        ),
    ],
    related: &[Topic::Queue, Topic::PauseKind, Topic::AuditTrail],
};

pub const PAUSE_KIND: Article = Article {
    lead: "While a kind of task is paused, none of it starts. Use it when something that it needs, such as the mail server, is broken.",
    steps: &[
        step("Open “Processes”.", "The kinds of task are below the processes, with how many wait and run."),
        step("Press “Pause…” beside a kind.", "The page says how many tasks wait and how many still run."),
        step(
            "Type a reason and press “Pause this kind”.",
            "Owners of waiting tasks see that it is paused. Running tasks finish.",
        ),
    ],
    sections: &[section(
        "resume",
        "Resume it",
        &[Text("Press “Resume…” in the same place. Waiting tasks start as soon as slots are free.")],
    )],
    related: &[Topic::Queue, Topic::RetryOrClose],
};

pub const IMPORT: Article = Article {
    lead: "Bring people into Docket, or up to date, from a CSV file. Nothing changes before you have seen the numbers.",
    steps: &[
        step(
            "Open “Import”, choose the file and press “Continue”.",
            "Its first line has the names of the columns, with commas, semicolons or tabs between them.",
        ),
        pictured(
            "Check which column is which field.",
            "Docket guesses from names and values, and says how sure it is. Check the tinted ones first: Docket is not sure of them. Choose “Do not import” to leave a column out.",
            PictureOf::Columns,
            "“Sure” and “Likely” are guesses, too.",
        ),
        step(
            "Look at what will happen.",
            "The numbers follow each change. They say how many people are new, how many change, and how many lines are unreadable. Press “Show” to see the lines, each with what would happen.",
        ),
        step(
            "Press “Import … people”.",
            "It becomes a task, with a line of results for each line of the file. “Save this matching” keeps what you chose for the next file with the same columns.",
        ),
    ],
    sections: &[
        section(
            "unreadable",
            "Unreadable lines",
            &[Text(
                "They are counted by reason, with the first line of each, and are not imported. “Download the unreadable lines” gives them as a file, each with its reason. Correct them and upload them again, or import the others.",
            )],
        ),
        section(
            "several",
            "If a person has several lines",
            &[Text(
                "Docket uses the first of them; the later ones are repeated, and skipped. To use the line with the latest or the highest value of a column, choose so below “If a person has several lines”.",
            )],
        ),
        section(
            "again",
            "Import the same people again",
            &[Text(
                "The page of the import says how many people were new and changed, and which column became which field. People are matched by their school ID. Nothing is done to people who are already as the file says. An empty cell empties the field of whoever has something there; the page says so before you import. An import deletes nobody.",
            )],
        ),
        section(
            "undo",
            "If it was wrong",
            &[Text(
                "An import cannot be undone. Import a corrected file. Before you import a file, you can press “Cancel and delete the file”.",
            )],
        ),
    ],
    related: &[Topic::Results, Topic::FollowTask, Topic::Erase],
};

pub const USERS: Article = Article {
    lead: "Each member of staff has an account with a role, which says whom they can act on, and permissions, which say what they can do.",
    steps: &[
        step("Open “Users” and press “Add a user”.", "To change an account, press its name instead."),
        step(
            "Type the username and the name, and choose the role.",
            "For staff who are in Docket already, add their school ID.",
        ),
        step(
            "Type a reason and press “Add the user”.",
            "If you signed in more than five minutes ago, enter your own password as well.",
        ),
        step(
            "They choose a password.",
            "With an email address they get a link, which works for 7 days. Without one Docket shows you a one-time password: give it to them. It works for one sign-in; then they choose their own.",
        ),
    ],
    sections: &[
        section(
            "roles",
            "What the roles mean",
            &[Words(&[
                (Plain("Coach"), "Acts on the people whose coach they are, and sees their own tasks."),
                (Plain("Manager"), "Acts on everyone, and reads the tasks of all staff."),
                (Plain("Administrator"), "A manager who also looks after the queue, the users and the audit trail."),
            ])],
        ),
        section(
            "permissions",
            "Permissions",
            &[Text(
                "Each action needs a permission, on top of the role. Docket checks them when an action is submitted and while it runs. A new coach has all but “Reassign coaches”.",
            )],
        ),
        section(
            "password",
            "A forgotten password",
            &[Text(
                "Whoever has an email address in Docket presses “Forgot your password?” on the sign-in page and gets a link, which works for 30 minutes. You can send it too: “Send a link”. For everybody else there is “Create a one-time password”. Either way a new password signs them out and revokes their tokens.",
            )],
        ),
        section(
            "second-factor",
            "A lost second factor",
            &[Text(
                "Whoever has lost their device and their recovery codes asks you. Make sure that it is them, open their page and press “Reset the second factor”. It removes their app and their passkeys, signs them out and they hear of it by email; then they sign in with their password alone and can set up another one.",
            )],
        ),
        section(
            "end",
            "Disable an account",
            &[Text(
                "Press “Disable the account”. They are signed out and their tokens end within seconds; their running tasks fail. Their waiting and scheduled tasks stand still: on the page of the user, hand them over to somebody who has permission for them, close them, or enable the account again.",
            )],
        ),
    ],
    related: &[Topic::AuditTrail, Topic::ReassignCoach],
};

pub const ERASE: Article = Article {
    lead: "Erasing deletes a person and what is kept about them. It cannot be undone.",
    steps: &[
        step("Open the person’s page and press “Erase…”.", "Only administrators see the button."),
        step("Type the school ID and a reason.", "The reason is kept in the audit trail."),
        step("Press “Erase this person”.", "The person is erased now, without a task."),
    ],
    sections: &[section(
        "left",
        "What is kept",
        &[List(&[
            "Results of tasks keep their lines, without the name.",
            "Files that may have the person in them are deleted.",
            "The audit trail keeps an internal ID, your name and your reason.",
            "A later import that names the same school ID brings the person in again.",
        ])],
    )],
    related: &[Topic::AuditTrail, Topic::Import],
};

pub const AUDIT_TRAIL: Article = Article {
    lead: "The audit trail says who did what, when, and from where. Nobody can change it.",
    steps: &[
        step("Open “Audit trail”.", "The latest entries come first."),
        step("Choose a person, an action or days, and press “Apply”.", "Links in an entry open what it is about."),
    ],
    sections: &[section("file", "Download it", &[Text("Download the entries that match as a CSV file.")])],
    related: &[Topic::Users, Topic::Erase, Topic::RetryOrClose],
};
