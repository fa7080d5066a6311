//! What is typed: as it is kept, and as it arrives.

use model::{
    Revision,
    composer::{DraftSeen, Typed},
};
use testkit::{On, on_both};

use super::*;

on_both!(
    what_is_typed_and_merged_arrives_as_it_was_meant,
    two_pages_do_not_write_over_each_other,
    sending_takes_away_the_draft_that_was_sent_and_no_other,
    a_letter_says_why_it_cannot_be_read,
    a_sent_email_is_shown_as_somebody_received_it,
    an_email_is_not_shown_as_somebody_sees_it_who_wants_none,
    six_hundred_kilobytes_of_braces_are_not_read,
);

async fn what_is_typed_and_merged_arrives_as_it_was_meant(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 4, &sink).await;
    let name = "UPDATE person SET first_name = $1, last_name = $2 WHERE id = $3";
    for (n, (first, last)) in
        [("Sigrún", "Þórðardóttir"), ("春香", "伊藤"), ("A\r\nBcc: all@college.example", "{{7*7}}"), ("", "<script>")]
            .into_iter()
            .enumerate()
    {
        college.write(name, [first.into(), last.into(), people[n].into()]).await;
    }
    let long = format!("{}@{}.example", "a".repeat(64), ["b".repeat(60), "c".repeat(60), "d".repeat(59)].join("."));
    assert_eq!(long.len(), 254);
    set_address(&college, people[0], &long).await;
    set_address(&college, people[1], "  spaced@students.example ").await;
    let action = written(WrittenEmail {
        subject: "For {first name | you} {last name}: {{7*7}}",
        body: "Hello {first name | there},\n.\n..\nQUIT\n<script>alert(1)</script> {{7*7}} {last name}",
        recipients: Some(Recipients::Primary),
        ..WrittenEmail::default()
    });
    let id = send(&college, action, &people).await;
    assert_eq!(counts(&college, id).await, (4, 0, 0, 0));
    let taken = sink.taken().unwrap();
    let to = |address: &str| taken.iter().find(|taken| taken.to == [address]).unwrap_or_else(|| panic!("{address}"));
    let mail = |address: &str| mail_parser::MessageParser::default().parse(&to(address).data).unwrap().into_owned();
    let first = mail(&long);
    assert_eq!(first.subject(), Some("For Sigrún Þórðardóttir: {{7*7}}"));
    assert_eq!(first.reply_to().unwrap().first().unwrap().address(), Some("k.lund@college.example"));
    assert_eq!(first.from().unwrap().first().unwrap().name(), Some("Katrin Lund via Northfield College"));
    let text = first.body_text(0).unwrap().replace("\r\n", "\n");
    assert_eq!(text.trim_end(), "Hello Sigrún,\n.\n..\nQUIT\n<script>alert(1)</script> {{7*7}} Þórðardóttir");
    let html = first.body_html(0).unwrap().into_owned();
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; {{7*7}}") && !html.contains("<script"), "{html}");
    assert!(mail("spaced@students.example").body_text(0).unwrap().starts_with("Hello 春香,"));
    let third = mail("s2@students.example");
    assert_eq!(third.subject(), Some("For A  Bcc: all@college.example {{7*7}}: {{7*7}}"));
    assert!(third.bcc().is_none());
    let fourth = mail("s3@students.example");
    assert_eq!(fourth.subject(), Some("For you <script>: {{7*7}}"));
    assert!(!fourth.body_html(0).unwrap().contains("<script"));
}

fn typed(body: &str) -> Typed {
    Typed { subject: "Four slots".to_owned(), body: body.to_owned(), to: "PRIMARY".to_owned(), ..Typed::default() }
}

/// A page that has this draft before it, or none.
fn page(revision: Option<Revision>) -> DraftSeen {
    DraftSeen { revision, next: queue::new_id() }
}

async fn two_pages_do_not_write_over_each_other(on: On) {
    let (college, _) = with(on, 1, quick()).await;
    let (caseload, manager) = (&college.caseload, &college.manager);
    let draft = async || caseload.emails().draft(manager).await.unwrap().map(|(typed, _)| typed.body);
    let (one, other) = (page(None), page(None));
    let first = caseload.emails().keep_draft(manager, &typed("first page"), one).await.unwrap();
    // An answer that was lost does not make the page another one.
    caseload.emails().keep_draft(manager, &typed("first page, more"), one).await.unwrap();
    let refused = caseload.emails().keep_draft(manager, &typed("second page"), other).await.unwrap_err();
    assert_eq!(Problem::from(refused).code, "draft_changed");
    assert_eq!(draft().await.as_deref(), Some("first page, more"));
    // Whoever goes on with the second page has both.
    caseload.emails().put_draft(manager, &typed("second page"), other).await.unwrap();
    assert_eq!(draft().await.as_deref(), Some("second page"));
    let templates = caseload.emails().templates(manager).await.unwrap();
    let kept = caseload.emails().use_template(manager, templates[0].id, Typed::default()).await.unwrap();
    assert_eq!((templates.len(), kept.body.as_str()), (1, "first page, more"));
    // The first page neither writes over it nor throws it away.
    assert!(caseload.emails().keep_draft(manager, &typed("late"), page(Some(first.revision))).await.is_err());
    caseload.emails().discard_draft(manager, Some(first.revision)).await.unwrap();
    assert_eq!(draft().await.as_deref(), Some("second page"));
}

async fn sending_takes_away_the_draft_that_was_sent_and_no_other(on: On) {
    let (college, people) = with(on, 2, quick()).await;
    let (caseload, manager) = (&college.caseload, &college.manager);
    let submit = async |typed: &Typed| {
        let target = Target::People(people.clone());
        let token = caseload.actions().preview(manager, typed.action().unwrap(), target).await.unwrap().preview_token;
        let submission =
            Submission { preview: Some(token), confirm_total: Some(2), ..Submission::from_source(SubmitSource::Page) };
        caseload.actions().submit(manager, submission).await.unwrap();
    };
    caseload.emails().keep_draft(manager, &typed("another text"), page(None)).await.unwrap();
    submit(&typed("this text")).await;
    assert!(caseload.emails().draft(manager).await.unwrap().is_some());
    submit(&typed("another text")).await;
    assert!(caseload.emails().draft(manager).await.unwrap().is_none());
}

async fn six_hundred_kilobytes_of_braces_are_not_read(on: On) {
    let (college, people) = with(on, 1, quick()).await;
    let braces = typed(&"{".repeat(600_000));
    let letter = college.caseload.emails().letter(&college.manager, &braces, people[0]).await.unwrap();
    assert!(letter.html.as_str().contains("This is too long"), "{} bytes", letter.html.as_str().len());
    let refused = braces.action().unwrap_err();
    assert_eq!(refused.errors.iter().map(|error| error.code.as_str()).collect::<Vec<_>>(), ["too_long"]);
}

async fn a_letter_says_why_it_cannot_be_read(on: On) {
    let (college, people) = with(on, 1, quick()).await;
    let letter =
        college.caseload.emails().letter(&college.manager, &typed("Dear {frist name}"), people[0]).await.unwrap();
    assert!(letter.html.as_str().contains("There is no field {frist name}."), "{}", letter.html.as_str());
    assert_eq!(letter.to.as_deref(), Some("s0@students.example"));
    let named = Typed { subject: "Four slots for {nobody | you}".to_owned(), ..typed("Dear {first name}") };
    let letter = college.caseload.emails().letter(&college.manager, &named, people[0]).await.unwrap();
    assert_eq!(letter.subject, named.subject);
    let merged = Typed { subject: "Four slots for {first name | you}".to_owned(), ..typed("Dear {frist name}") };
    let letter = college.caseload.emails().letter(&college.manager, &merged, people[0]).await.unwrap();
    assert!(!letter.subject.contains('{') && letter.html.as_str().contains("{frist name}"), "{}", letter.subject);
}

/// Its page showed the message with its fields in braces, and neither from whom it was nor where replies go.
async fn a_sent_email_is_shown_as_somebody_received_it(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 3, &sink).await;
    set_address(&college, people[0], "reject@students.example").await;
    college.write("UPDATE person SET first_name = 'Ada' WHERE id = $1", [people[1].into()]).await;
    let id = send(&college, email(), &people).await;
    set_address(&college, people[1], "moved@students.example").await;
    let emails = college.caseload.emails();
    let shown = emails.as_sent(&college.manager, id).await.unwrap().unwrap();
    assert_eq!((shown.person_id, shown.to.as_deref()), (people[1], Some("s1@students.example")), "where it went");
    assert!(shown.html.as_str().contains("Ada") && !shown.html.as_str().contains('{'), "{}", shown.html.as_str());
    let (from, replies) = emails.sender_of(&college.manager, id).await.unwrap();
    assert_eq!(
        (from.as_str(), replies.as_deref()),
        ("Katrin Lund via Northfield College", Some("k.lund@college.example"))
    );
    assert_eq!(emails.sender_of(&college.administrator, id).await.unwrap().0, from, "whoever looks at it");
    let hidden = emails.as_sent(&college.coach, id).await.unwrap_err();
    assert_eq!(Problem::from(hidden).status, 404);

    let refused = college.caseload.emails();
    college.write("UPDATE outbox SET state = 'REJECTED'", []).await;
    assert!(refused.as_sent(&college.manager, id).await.unwrap().is_none(), "nobody has got it");
}

async fn an_email_is_not_shown_as_somebody_sees_it_who_wants_none(on: On) {
    let sink = SmtpSink::start().unwrap();
    let (college, people) = college(on, 2, &sink).await;
    let (emails, manager) = (college.caseload.emails(), &college.manager);
    let out = "UPDATE person SET email_opt_out = TRUE WHERE id = $1";
    college.write(out, [people[0].into()]).await;
    let typed = Typed { subject: "S".to_owned(), body: "B".to_owned(), ..Typed::default() };
    let gets_it = async |id| emails.letter(manager, &typed, id).await.unwrap().gets_it();
    assert_eq!((gets_it(people[0]).await, gets_it(people[1]).await), (false, true));
    let selections = college.caseload.selections();
    let token = selections.select_matching(manager, model::PeopleFilter::default()).await.unwrap().token;
    let context = emails.context(manager, token, Some(people[0])).await.unwrap();
    let offered: Vec<_> = context.people.iter().map(|(id, _)| *id).collect();
    assert_eq!((offered, context.letter.unwrap().person_id), (vec![people[1]], people[1]));
    college.write(out, [people[1].into()]).await;
    let context = emails.context(manager, token, None).await.unwrap();
    assert_eq!(context.people.len(), 2, "where nobody gets it there is still something to look at");
}
