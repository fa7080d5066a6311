//! Help with who looks after whom: the watch list, coaches, early alerts.

use super::{
    article::{
        Article,
        HelpBlock::{List, Text, Words},
        HelpWord::Plain,
        PictureOf, pictured, section, step,
    },
    topic::Topic,
};

pub const WATCH: Article = Article {
    lead: "Your watch list has people whom you want to keep in sight, whoever their coach is. Nothing changes for them.",
    steps: &[
        step(
            "Select the people.",
            "For one person, press the star at the end of their row, or “Watch” on their page, and you are done.",
        ),
        step("Press “Watch list…”.", "It is in the bar below the list."),
        step("Choose “Watch” or “Stop watching”.", "Watching somebody again renews the date."),
        step("Press the button that says whom it is about.", "For more than {few} people, check the numbers first."),
    ],
    sections: &[
        section(
            "see",
            "See your watch list",
            &[Text("Choose the tab “Watch list” on the people page. The list is your own.")],
        ),
        section(
            "beyond",
            "People who are no longer yours",
            &[Text(
                "If somebody gets another coach, you still see their name on your watch list and nothing else, and you can stop watching them. Actions skip them.",
            )],
        ),
        section(
            "undo",
            "If it was wrong",
            &[Text("Press “Undo…” on the task’s page. Only its owner can: the list is theirs.")],
        ),
    ],
    related: &[Topic::OnePerson, Topic::FindPeople, Topic::UndoTask],
};

pub const REASSIGN: Article = Article {
    lead: "Give people to another coach. They move from one caseload to the other.",
    steps: &[
        step("Select the people.", "Filter by “Coach” to find everybody of a colleague."),
        step("Press “More”, then “Reassign coach…”.", "You see it if you have the permission “Reassign coaches”."),
        step("Choose the new coach.", "You can choose anyone with an active account."),
        pictured(
            "Press “Check what will happen” and read the numbers.",
            "People who are with that coach already are skipped. Up to {few} people can also be reassigned without this check.",
            PictureOf::Sum {
                will: "will move to Okafor, Ada",
                skipped: "skipped: already with Okafor, Ada",
                whole: "people selected",
            },
            "The numbers add up to the people you selected.",
        ),
        step("Press “Reassign … people”.", "Above {many} people you type their number first."),
    ],
    sections: &[
        section(
            "several",
            "Several coaches at the same time",
            &[Text("Upload a list that names a coach for each person.")],
        ),
        section(
            "undo",
            "If it was wrong",
            &[Text(
                "Press “Undo…” on the task’s page. Everybody whose coach has not changed since goes back to the coach they had before.",
            )],
        ),
    ],
    related: &[Topic::ReassignByList, Topic::UndoTask, Topic::SelectPeople],
};

pub const REASSIGN_BY_LIST: Article = Article {
    lead: "One file says for each person who the new coach is. Every line is checked before anything happens.",
    steps: &[
        step(
            "Make a CSV file with two columns.",
            "A school ID, and the new coach by username, school ID or name, or by initial and last name where only one coach fits. A first line with titles is allowed; the second is “Coach”.",
        ),
        step(
            "Press “Reassign coach…”, then “upload a list”, and choose the file.",
            "You can also go to “Reassign coaches by list” with Ctrl K.",
        ),
        pictured(
            "Press “Check what will happen” and read the numbers.",
            "Lines that are skipped are counted by reason, and what to correct in the file is shown with the line.",
            PictureOf::Sum {
                will: "will move to the coach in the list",
                skipped: "skipped: new coach not found",
                whole: "lines in the list",
            },
            "The numbers add up to the lines in the list.",
        ),
        step("Press “Reassign … people”.", "Above {many} people you type their number first."),
    ],
    sections: &[section(
        "lines",
        "Lines that are skipped",
        &[Words(&[
            (Plain("not found"), "Nobody has this school ID."),
            (
                Plain("new coach not found"),
                "Nobody with an active account has the username, school ID or name in this line.",
            ),
            (
                Plain("new coach’s name on several accounts"),
                "The check says who could be meant. Use the username or the school ID instead.",
            ),
            (Plain("not in the caseload"), "You cannot act on this person."),
            (Plain("already with that coach"), "The person stays where they are."),
            (Plain("repeated"), "Another line names the same person. Of several the last one is used."),
        ])],
    )],
    related: &[Topic::ReassignCoach, Topic::Results, Topic::UndoTask],
};

pub const EARLY_ALERT: Article = Article {
    lead: "An early alert records what was noticed, for all staff who can open the person’s page.",
    steps: &[
        step("Select the people.", "One alert is written for each of them."),
        step("Press “More”, then “Early alert…”.", "You see it if you have the permission “Raise early alerts”."),
        step("Choose what was noticed.", "“Other” needs a comment. The comment is shown with the alert."),
        pictured(
            "Press “Check what will happen” and read the numbers.",
            "Up to {few} people can also get an alert without this check.",
            PictureOf::Sum {
                will: "will get an alert: Attendance",
                skipped: "skipped: not in the caseload",
                whole: "people selected",
            },
            "The numbers add up to the people you selected.",
        ),
        step("Press “Raise an alert on … people”.", "Above {many} people you type their number first."),
    ],
    sections: &[
        section(
            "where",
            "Where it is shown",
            &[Text(
                "On the page of each person, to all staff who can open it: what was noticed, when, the comment, and who raised it. Somebody can have several alerts.",
            )],
        ),
        section(
            "remove",
            "Remove an alert",
            &[List(&[
                "Open the task that raised it: the alert on the person’s page leads there, if you have access to it.",
                "Press “Undo…”, check, and press “Restore … people”. The alerts of that task are removed.",
            ])],
        ),
    ],
    related: &[Topic::OnePerson, Topic::UndoTask, Topic::SelectPeople],
};
