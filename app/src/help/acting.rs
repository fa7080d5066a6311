//! Help with the actions that most want: status, email, export.

use model::Outcome;

use super::{
    article::{
        Article,
        HelpBlock::{List, Text, Words},
        HelpWord::{Outcome as Became, Plain},
        PictureOf, pictured, section, step,
    },
    topic::Topic,
};

pub const CHANGE_STATUS: Article = Article {
    lead: "Select people, say what their status becomes, check the numbers, submit. Results and Undo are kept {kept}.",
    steps: &[
        pictured(
            "Select the people.",
            "Filter the list or open a saved view. Select rows, or press “Select all … people”.",
            PictureOf::SelectionBar,
            "The bar appears when somebody is selected.",
        ),
        step("Press “Set program status…”.", "It is in the bar, and on each person’s page."),
        step(
            "Choose the new status.",
            "Non-participating asks for a reason. A comment is shown in each person’s history.",
        ),
        pictured(
            "Press “Check what will happen” and read the numbers.",
            "They add up to the people you selected. “Show” opens the people behind a number. Up to {few} people can also be changed without this check.",
            PictureOf::Sum {
                will: "will change to Inactive",
                skipped: "skipped: already Inactive",
                whole: "people selected",
            },
            "Skipped people stay as they are, each for a reason.",
        ),
        pictured(
            "Press the button that says whom it changes.",
            "Above {many} people you type their number first, because so many are hard to put right one by one. Without any filter you confirm that you mean everyone.",
            PictureOf::Confirm,
            "The button counts those who change, not those who are skipped.",
        ),
    ],
    sections: &[
        section(
            "skipped",
            "Why somebody is skipped",
            &[Words(&[
                (Plain("already Inactive"), "They have that status already, with the same reason."),
                (Plain("not activated"), "Their record is not in use yet."),
                (Plain("not in the caseload"), "You cannot act on them."),
                (Plain("not found"), "They are no longer in Docket."),
            ])],
        ),
        section(
            "later",
            "Start later",
            &[Text(
                "Choose a start on the form, up to a year ahead. Everyone on the list is checked again when it starts. Until then you can change the start or cancel.",
            )],
        ),
        section(
            "list",
            "If the list changes meanwhile",
            &[Text(
                "What you checked is compared with who matches as you submit. If more people came or left than the check allows, nothing is submitted and you are shown the new numbers.",
            )],
        ),
        section(
            "undo",
            "If it was wrong",
            &[Text("Press “Undo…” on the task’s page. It restores everyone who has not changed since.")],
        ),
    ],
    related: &[Topic::UndoTask, Topic::Results, Topic::SelectPeople, Topic::FollowTask],
};

pub const EMAIL: Article = Article {
    lead: "Write one text, and each person gets an email of their own, with their own name in it. Nobody sees who else received it.",
    steps: &[
        step("Select the people.", "One email can go to {reach}."),
        step("Press “Email…”.", "It is in the bar below the list."),
        step(
            "Write a subject and a message.",
            "“First name” and the buttons beside it insert what differs from person to person: {first name | there} becomes each person’s first name, or “there” where it is missing. What you type is saved as a draft, without the people you selected.",
        ),
        step("Press “Send a test to me”.", "This is optional. The test goes to the email address in your settings."),
        pictured(
            "Press “Check … people” and read the numbers.",
            "They say who gets the email and who does not.",
            PictureOf::Sum {
                will: "will get an email",
                skipped: "skipped: opted out of email",
                whole: "people selected",
            },
            "People without an address or who opted out are skipped.",
        ),
        step("Type the number of people.", "Sent emails cannot be recalled, so Docket always asks for the number."),
        pictured(
            "Press “Send to … people”.",
            "The email is held for {hold} before the first one is sent.",
            PictureOf::Hold,
            "Cancel stops all of it during the hold.",
        ),
    ],
    sections: &[
        section(
            "hold",
            "The hold",
            &[Text(
                "During the hold, “Cancel email” on the task’s page stops all of it and nobody is emailed. After that, Cancel stops only what has not been sent. An email with a start of its own is held as well, unless it starts later than the hold ends.",
            )],
        ),
        section(
            "skipped",
            "Why somebody gets none",
            &[List(&[
                "They opted out of email.",
                "They do not have the address that you chose to send to.",
                "Somebody before them in the list has the same address.",
                "They are not in your caseload, or no longer in Docket.",
            ])],
        ),
        section(
            "afterwards",
            "Failed and uncertain",
            &[Words(&[
                (
                    Became(Some(Outcome::Failed)),
                    "The person did not receive it, for the reason beside it. “Resend to the … failed” sends it once more.",
                ),
                (
                    Became(Some(Outcome::Uncertain)),
                    "The mail server did not confirm it. Docket does not repeat it: ask one of them before you resend.",
                ),
            ])],
        ),
        section(
            "not-set-up",
            "If email is not set up",
            &[Text(
                "The page says so before you write, and nothing can be sent. There is no test and no hold to send from. Press “Keep as draft” and send the email later: the draft keeps the text, not the people you selected. If you press “Submit anyway” after the check, every person is listed as failed. Once email is set up, “Resend to the … failed” on the task’s page sends it.",
            )],
        ),
        section("undo", "If it was wrong", &[Text("An email cannot be undone once it is sent.")]),
    ],
    related: &[Topic::Results, Topic::FollowTask, Topic::SelectPeople, Topic::Settings],
};

pub const EXPORT: Article = Article {
    lead: "Save the people you selected to a file, for a spreadsheet or another program.",
    steps: &[
        step("Select the people.", "The file is sorted as the list is."),
        step("Press “Export…”.", "It is in the bar below the list."),
        step(
            "Choose the format and the columns.",
            "School ID and name are always in the file. In a CSV file, formulas become plain text.",
        ),
        step("Press “Export … people”.", "It becomes a task. “Check first” shows beforehand who is in it."),
        pictured(
            "Press “Download” on the task’s page.",
            "The button appears when the file is ready.",
            PictureOf::File,
            "The file is kept for {file}, until the time beside the button.",
        ),
    ],
    sections: &[
        section(
            "who",
            "Who can download it",
            &[Text("Only you. The audit trail keeps what was exported, by whom and when.")],
        ),
        section(
            "gone",
            "When the file is gone",
            &[Text(
                "A file expires, and is deleted when a person in it is erased. Press “Repeat…” on the task’s page to make a new one.",
            )],
        ),
    ],
    related: &[Topic::SelectPeople, Topic::FollowTask],
};
