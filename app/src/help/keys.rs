//! Help with keys and settings.

use super::{
    article::{
        Article,
        HelpBlock::{List, ShowKeys, Text, Words},
        HelpWord::Keys,
        section, step,
    },
    topic::Topic,
};

pub const SHORTCUTS: Article = Article {
    lead: "You can reach most of Docket by keyboard. Tab, Enter and Space work everywhere; these are quicker.",
    steps: &[
        step("Press ? on any page.", "The list of keys opens. Esc closes it."),
        step(
            "Press Ctrl K, or ⌘ K on a Mac, and type.",
            "Go to a person, a task, a page or an action: “email” and a name writes to that person. Choose with the arrows and press Enter.",
        ),
    ],
    sections: &[
        section(
            "keys",
            "The keys",
            &[
                Words(&[
                    (Keys(&["Ctrl", "K"]), "Go to a person, task, page or action"),
                    (Keys(&["/"]), "Search"),
                    (Keys(&["g", "p"]), "People"),
                    (Keys(&["g", "t"]), "My tasks"),
                    (Keys(&["g", "a"]), "Administration, for administrators"),
                    (Keys(&["j", "k"]), "Next and previous row"),
                    (Keys(&["x"]), "Select the row"),
                    (Keys(&["Shift", "↓", "↑"]), "Select from row to row"),
                    (Keys(&["Enter"]), "Open"),
                    (Keys(&["Esc"]), "Close"),
                    (Keys(&["?"]), "The list of keys"),
                ]),
                ShowKeys,
            ],
        ),
        section(
            "off",
            "Turn them off",
            &[Text(
                "Single keys do nothing while you type. If they get in your way, or in the way of a screen reader, turn off “Use single-key shortcuts” in your settings. Ctrl K stays.",
            )],
        ),
    ],
    related: &[Topic::Settings, Topic::FindPeople, Topic::SelectPeople],
};

pub const SETTINGS: Article = Article {
    lead: "Set how Docket looks and behaves for you, where emails to you go, and who is signed in with your account.",
    steps: &[
        step("Open “Settings”.", "It is at the bottom of the menu, and in the menu under your name."),
        step("Change what you like and press “Save”.", "Each part of the page has its own button."),
    ],
    sections: &[
        section(
            "email",
            "Your email address",
            &[Text(
                "Replies to your emails, test emails and notices go there. Docket sends a link to a new address: open it to confirm the address.",
            )],
        ),
        section(
            "second-factor",
            "A second factor",
            &[List(&[
                "Set up an authenticator app, and Docket asks for its code after your password. Some roles must have one.",
                "Add a passkey, and your phone, computer or security key signs you in: after your password, or alone where it checks your fingerprint, face or PIN.",
                "Keep the recovery codes, which are shown once: each signs you in once without your device.",
                "Without device and codes, ask an administrator to reset it.",
            ])],
        ),
        section(
            "signed-in",
            "Where you are signed in",
            &[Text("Each line is a browser. End those that you do not know, then change your password.")],
        ),
        section(
            "tokens",
            "Access tokens",
            &[List(&[
                "A token lets a program do what you can do, as far as you allow.",
                "It is shown once, when you create it.",
                "Revoke it when it is no longer needed.",
            ])],
        ),
    ],
    related: &[Topic::Shortcuts, Topic::Email],
};
