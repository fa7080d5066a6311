//! Help with tasks: following one, undoing one, and reading what became of it.

use model::{Outcome, TaskState};

use super::{
    article::{
        Article,
        HelpBlock::{List, Text, Words},
        HelpWord::{Outcome as Became, Plain, Stalled, State},
        PictureOf, pictured, section, step,
    },
    topic::Topic,
};

pub const FOLLOW: Article = Article {
    lead: "What you submit becomes a task that runs in the background. You can leave the page: the task continues, even if the server restarts.",
    steps: &[
        step(
            "Open “My tasks”.",
            "The tabs show unfinished tasks, those with problems, and those that are done or cancelled. Managers can choose “All staff”.",
        ),
        pictured(
            "Press a task.",
            "Its page says how far it is and what became of each person, and updates automatically while it says Live.",
            PictureOf::Progress,
            "The bar has a part for each outcome.",
        ),
    ],
    sections: &[
        section(
            "waits",
            "Why it has not started",
            &[Text(
                "A task that waits says its place in line. “Details” say what it waits for: its start, a free slot, or a kind of task that an administrator has paused.",
            )],
        ),
        section(
            "cancel",
            "Cancel a task",
            &[Text(
                "Press “Cancel…” on its page, or “Cancel email” while an email is held. People who were processed stay as they are; the others are left alone. You can undo what was done.",
            )],
        ),
        section("start", "Change the start", &[Text("A scheduled task has “Change start time” beside its timeline.")]),
        section(
            "told",
            "Know when it has ended",
            &[Text(
                "A message appears on whatever page you are on, and the bell lists the tasks that ended, new ones first. In your settings you can also choose an email when a task took over a minute or you have left Docket.",
            )],
        ),
        section(
            "retry",
            "Retry",
            &[Text(
                "“Retry” resumes a failed task with what is not done. “Retry the … failed” tries those people again in a new task.",
            )],
        ),
    ],
    related: &[Topic::States, Topic::Results, Topic::UndoTask],
};

pub const UNDO: Article = Article {
    lead: "Undo reverses what a task did, for everyone who has not changed since. Tasks and their results are kept {kept}.",
    steps: &[
        step("Open the task.", "It is in “My tasks”, and on the page of each person whom it changed."),
        pictured(
            "Press “Undo…”.",
            "It is there once the task has ended and has changed somebody. For a minute it is also in the message that says so.",
            PictureOf::Undo,
            "An undo is a task of its own, linked with the original task.",
        ),
        pictured(
            "Read the numbers.",
            "Everybody who has changed since is skipped, so that nothing newer is lost.",
            PictureOf::Sum {
                will: "will be restored",
                skipped: "skipped: changed since",
                whole: "people changed by the task",
            },
            "The numbers add up to the people whom the task changed.",
        ),
        step("Press “Restore … people”.", "Above {many} people you type their number first."),
    ],
    sections: &[
        section(
            "what",
            "What can be undone",
            &[List(&[
                "A program status: people get back the status they had.",
                "The watch list: by its owner only.",
                "Another coach: people go back to the one they had before.",
                "An early alert: the alert is removed.",
            ])],
        ),
        section(
            "not",
            "What cannot",
            &[Text(
                "Emails that were sent, exports and imports. A task can be undone once; after “Partly undone”, the rest have changed since or failed.",
            )],
        ),
    ],
    related: &[Topic::Results, Topic::FollowTask, Topic::ChangeStatus],
};

pub const RESULTS: Article = Article {
    lead: "A task keeps one line for each person, with what became of them. The lines add up to the people of the task.",
    steps: &[
        step(
            "Open the task.",
            "Its people are below its progress. While it runs, those who were processed last come first.",
        ),
        pictured(
            "Choose an outcome.",
            "Each tab counts its people.",
            PictureOf::Outcomes,
            "Every person has one of these.",
        ),
        step(
            "Read the reason beside it.",
            "“Why some people were skipped or failed” counts each reason and leads to its people.",
        ),
    ],
    sections: &[
        section(
            "outcomes",
            "What the outcomes mean",
            &[Words(&[
                (Became(Some(Outcome::Done)), "It was done to this person."),
                (Became(Some(Outcome::Skipped)), "Nothing was done, for the reason beside it."),
                (
                    Became(Some(Outcome::Failed)),
                    "Docket tried and could not. The others went on. You can retry those who failed.",
                ),
                (
                    Became(Some(Outcome::Uncertain)),
                    "We cannot confirm it: an email may or may not have been sent. Docket will not repeat it.",
                ),
                (Became(None), "The task has not come to this person, or ended before it did. They are as they were."),
            ])],
        ),
        section(
            "reasons",
            "Reasons you may see",
            &[Words(&[
                (Plain("no change needed"), "The person was already as they should become."),
                (Plain("changed since"), "An undo leaves alone whoever has changed after the task."),
                (Plain("same address as another"), "Somebody before them in the task got the email at this address."),
                (Plain("bounced"), "The email was sent and came back. Staff noted it by hand."),
                (
                    Plain("delayed by the mail server"),
                    "The mail server asked for it later. Docket tries again automatically.",
                ),
                (Plain("could not be saved"), "The database refused what was to be written for this person."),
            ])],
        ),
        section(
            "file",
            "Download it",
            &[Text(
                "“Download as CSV” below the list has the lines that you see, on all pages. A task’s page can also be printed. Results are kept {kept}.",
            )],
        ),
    ],
    related: &[Topic::FollowTask, Topic::UndoTask, Topic::States],
};

pub const STATES: Article = Article {
    lead: "The badge of a task says how far it is: it waits, runs, or has ended.",
    steps: &[
        step(
            "Look at the badge in “My tasks” or beside the title.",
            "The line below it says what went wrong or what it waits for, if anything.",
        ),
        step("Press the task to see more.", "Its timeline says what happened and when."),
    ],
    sections: &[
        section(
            "before",
            "Before it runs",
            &[Words(&[
                (
                    State(TaskState::Unapproved),
                    "Somebody else has to approve it first. Its page says who can, and until when.",
                ),
                (State(TaskState::Scheduled), "It starts at a time that was chosen."),
                (
                    State(TaskState::Held),
                    "An email before it is sent. Until then it can be cancelled and nobody is emailed.",
                ),
                (State(TaskState::Waiting), "Due, and not begun: it says its place in line."),
                (
                    State(TaskState::Retrying),
                    "The last attempt failed. Docket retries automatically, each time after a longer wait, until the task has failed {failures} times.",
                ),
            ])],
        ),
        section(
            "runs",
            "While it runs",
            &[Words(&[
                (State(TaskState::Running), "People are being processed."),
                (Stalled, "A mark beside Running, for administrators: it makes no progress."),
            ])],
        ),
        section(
            "ended",
            "When it has ended",
            &[Words(&[
                (State(TaskState::Done), "All of it was tried, and nobody failed."),
                (State(TaskState::DoneWithProblems), "All of it was tried. Some people failed or are uncertain."),
                (
                    State(TaskState::Failed),
                    "It has ended without being done, and Docket does not retry it. What was done is kept. You can retry it.",
                ),
                (State(TaskState::CouldNotStart), "It failed before anybody was processed. Nobody was changed."),
                (State(TaskState::Cancelled), "Stopped by its owner. What was done before is kept."),
                (State(TaskState::Abandoned), "Ended for good by an administrator, with a reason."),
                (
                    State(TaskState::Declined),
                    "Nobody approved it, so it did not run. You can start again from the same people.",
                ),
                (Plain("Undone"), "Another task has restored everyone. “Partly undone”: some of them."),
            ])],
        ),
    ],
    related: &[Topic::FollowTask, Topic::Results, Topic::UndoTask],
};
