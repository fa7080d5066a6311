//! Help with finding and selecting people.

use model::ProgramStatus;

use super::{
    article::{
        Article,
        HelpBlock::{List, Text, Words},
        HelpWord::{Plain, Status},
        PictureOf, pictured, section, step,
    },
    topic::Topic,
};

pub const FIND: Article = Article {
    lead: "Search for somebody by name, school ID or email, or narrow the list to those who have something in common.",
    steps: &[
        step(
            "Choose a tab.",
            "“My caseload” has the people whose coach you are, “Watch list” those whom you watch. Managers and administrators also have “Everyone”.",
        ),
        step(
            "Type into the search field.",
            "A first name, a last name, a school ID or an email address, from its beginning. With one or two letters only last names are searched.",
        ),
        step(
            "Open a menu, such as Status or Campus, and select values.",
            "People need to match one value of each menu. In a long menu, type to find the values that it does not show. “Other fields” has what was imported beyond the fields that Docket knows.",
        ),
        pictured(
            "Press “Apply”.",
            "The line above the list says how many people match and what narrows it. Remove a filter with its ×, or all of them with “Clear all”.",
            PictureOf::SearchAndChips,
            "Each filter can be removed separately.",
        ),
    ],
    sections: &[
        section(
            "order",
            "Sort the list",
            &[Text(
                "Press the name of a column to sort by it, and once more to turn the order around. People without a value come last. “Rows” below the list sets how many people a page has.",
            )],
        ),
        section(
            "display",
            "Choose columns and row height",
            &[Text(
                "Open “Display” above the list. What you choose holds for you from then on; on a saved view it is a change to that view. “Reset” brings back the usual columns.",
            )],
        ),
        section(
            "star",
            "Watch somebody",
            &[Text(
                "Press the star at the end of a row. Whoever you watch is on your watch list. Press it once more to stop.",
            )],
        ),
        section(
            "changes",
            "When the list changes",
            &[Text(
                "The rows in front of you stay where they are. People who match since you opened the list are counted above it: press “Show” to see them.",
            )],
        ),
        section(
            "status",
            "What the statuses mean",
            &[
                Words(&[
                    (Status(ProgramStatus::Active), "Takes part in the program."),
                    (Status(ProgramStatus::Inactive), "Does not take part at present."),
                    (
                        Status(ProgramStatus::NonParticipating),
                        "Does not take part for a reason, which is kept with the status.",
                    ),
                    (Status(ProgramStatus::NoShow), "Did not appear."),
                    (Status(ProgramStatus::Transitioned), "Has moved on from the program."),
                ]),
                Text("A dashed badge beside the status says what a task that waits or runs will do, and leads to it."),
            ],
        ),
    ],
    related: &[Topic::SelectPeople, Topic::SaveView, Topic::OnePerson, Topic::Shortcuts],
};

pub const SELECT: Article = Article {
    lead: "An action is about the people you select: some rows, everybody who matches, or a list of school IDs.",
    steps: &[
        pictured(
            "Press the box of a row.",
            "Hold Shift and press another box to select all rows between them. The box above the list selects the page.",
            PictureOf::Rows,
            "Selected rows stay selected on other pages of the list.",
        ),
        step(
            "Or press “Select all … people”.",
            "This selects by the filters: not only the people on this page, but everybody who matches.",
        ),
        pictured(
            "Choose an action in the bar.",
            "The bar appears when somebody is selected. “Clear” forgets the selection.",
            PictureOf::SelectionBar,
            "The number counts everybody who is selected, also on other pages.",
        ),
    ],
    sections: &[
        section(
            "ids",
            "Select people by school ID",
            &[Text(
                "Press “Select by school ID…” above the list. Paste the IDs or choose a file, and press “Find people”. People whom you can act on are selected, at most {picked}. The other IDs are listed as not found.",
            )],
        ),
        section(
            "kept",
            "How long it is kept",
            &[Text(
                "A selection is kept for 30 minutes, and is part of the page’s address. While rows are selected, the list does not update.",
            )],
        ),
    ],
    related: &[Topic::FindPeople, Topic::ChangeStatus, Topic::Email, Topic::Export],
};

pub const SAVE_VIEW: Article = Article {
    lead: "A view is a search under a name: its tab, its filters, its order and its columns. It finds whoever matches when you open it.",
    steps: &[
        step(
            "Set the filters and the order.",
            "The view keeps what you see, except the selection and the page you are on.",
        ),
        pictured(
            "Open “Save view” above the list and type a name.",
            "Each of your views needs a name of its own.",
            PictureOf::Views,
            "It keeps the filters, the order and the columns.",
        ),
        step(
            "Press “Save this view”.",
            "From now on it is in the menu on the left, with the number of people who match.",
        ),
    ],
    sections: &[
        section(
            "change",
            "Change, rename or delete a view",
            &[Text(
                "Open the view and change its filters, order or columns: “Save changes” keeps them. The menu “View” renames or deletes it. Nobody is changed by that.",
            )],
        ),
        section(
            "share",
            "Share a view",
            &[Text(
                "Open the view, then “View”, and press “Share with colleagues”. They find it under “Shared with you”, and see in it only people they have access to. Only you can change it; they can save it as a view of their own.",
            )],
        ),
        section("most", "How many there can be", &[Text("You can save up to {views} views.")]),
    ],
    related: &[Topic::FindPeople, Topic::SelectPeople],
};

pub const ONE_PERSON: Article = Article {
    lead: "A person’s page has their status and its history, early alerts, journal, emails, and the tasks that changed them.",
    steps: &[
        step("Press a name in any list of people.", "What matters now is at the top of the page."),
        step(
            "Press “Set program status…” to change this person alone.",
            "It works as it does for many people, with the same check.",
        ),
    ],
    sections: &[
        section(
            "badges",
            "What is beside the name",
            &[Words(&[
                (Plain("not activated"), "Their status cannot be changed yet: a change skips them."),
                (Plain("no longer yours"), "You watch them, but another coach has them now. You see the name only."),
            ])],
        ),
        section(
            "parts",
            "What is on the page",
            &[List(&[
                "An early alert of the last 30 days, and tasks that will still change them.",
                "The timeline: what happened to them, newest first. It can show one sort of entry only, such as changes of status.",
                "Emails that were sent to them, below “Emails”. One that came back can be noted as bounced there.",
                "All tasks with them, below “Tasks”, as far as you have access to them.",
            ])],
        ),
    ],
    related: &[Topic::Watch, Topic::EarlyAlert, Topic::ChangeStatus, Topic::FindPeople],
};
