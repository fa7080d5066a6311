//! A message as it goes over the wire: plain text and HTML, from Docket in somebody's name, answered to that person.

use lettre::{
    Address, Message,
    message::{
        Mailbox, MultiPart,
        header::{Header, HeaderName, HeaderValue},
    },
};
use model::{Instant, Markup};

use super::MailSettings;

/// To whom a message goes, under which name it is known, and when it was written.
#[derive(Clone, Debug)]
pub struct Envelope {
    pub to: Vec<String>,
    pub copy: Option<String>,
    /// Without the angle brackets; the same for every try.
    pub message_id: String,
    pub sender: Option<Sender>,
    pub date: Instant,
}

/// In whose name a message goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    pub name: String,
    /// Where answers go; to Docket's own address when absent.
    pub address: Option<String>,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub subject: String,
    pub plain: String,
    /// The body of the page.
    pub html: String,
}

impl Rendered {
    /// A text as it is.
    pub fn of_text(subject: String, text: String) -> Rendered {
        let html = Markup::default().ours("<p>").lines(&text).ours("</p>").into_string();
        Rendered { subject, plain: text, html }
    }
}

/// Says whom a rerouted message was for.
#[derive(Clone)]
struct RedirectedFor(String);

impl Header for RedirectedFor {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("X-Docket-Rerouted-For")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(RedirectedFor(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), self.0.clone())
    }
}

/// An address as the mail library reads it.
fn address(text: &str) -> Result<Address, String> {
    text.trim().parse().map_err(|_| text.to_owned())
}

impl Envelope {
    /// The address of a copy that is none.
    pub fn wrong_copy(&self) -> Option<&str> {
        self.copy.as_deref().filter(|text| address(text).is_err())
    }
}

/// The message, or the first address that is none. A copy whose address is none is left out.
pub fn build(settings: &MailSettings, envelope: &Envelope, rendered: &Rendered) -> Result<Message, String> {
    let to = envelope.to.iter().map(|text| address(text)).collect::<Result<Vec<_>, _>>()?;
    let copy = envelope.copy.as_deref().and_then(|text| address(text).ok());
    let date = std::time::SystemTime::from(envelope.date);
    let mut message = Message::builder()
        .from(from(settings, envelope.sender.as_ref()))
        .message_id(Some(format!("<{}>", envelope.message_id)))
        .date(date)
        .subject(one_line(&rendered.subject));
    if let Some(reply) = envelope.sender.as_ref().and_then(|sender| sender.address.as_deref()) {
        // An address of staff that is none is no fault of those who are written to.
        if let Ok(reply) = address(reply) {
            message = message.reply_to(Mailbox::new(None, reply));
        }
    }
    message = match &settings.reroute {
        Some(reroute) => {
            let meant: Vec<_> = to.iter().chain(&copy).map(Address::to_string).collect();
            message.header(RedirectedFor(meant.join(", "))).to(Mailbox::new(None, reroute.clone()))
        }
        None => {
            let message = to.into_iter().fold(message, |message, to| message.to(Mailbox::new(None, to)));
            match copy {
                Some(copy) => message.cc(Mailbox::new(None, copy)),
                None => message,
            }
        }
    };
    let (plain, told) = match &settings.reroute {
        Some(_) => {
            let meant = meant_for(envelope);
            let told = Markup::default().ours("<p>").lines(&meant).ours("</p><hr>").into_string();
            (format!("{meant}\n\n{}", rendered.plain), told)
        }
        None => (rendered.plain.clone(), String::new()),
    };
    let html = format!("<!doctype html>\n<html><body>{told}{}</body></html>\n", rendered.html);
    let parts = MultiPart::alternative_plain_html(plain, html);
    message.multipart(parts).map_err(|error| error.to_string())
}

/// Whom a rerouted message was for, for whoever reads it: a header is shown by few programs.
fn meant_for(envelope: &Envelope) -> String {
    let to = format!("This email was redirected. It was meant for:\nTo: {}", envelope.to.join(", "));
    match &envelope.copy {
        Some(copy) => format!("{to}\nCc: {copy}"),
        None => to,
    }
}

/// `Katrin Lund via Northfield College`, at Docket's own address: another one would be taken for a forgery.
fn from(settings: &MailSettings, sender: Option<&Sender>) -> Mailbox {
    let own = settings.from.clone();
    let Some(sender) = sender else { return own };
    let name = match &own.name {
        Some(college) => format!("{} via {college}", one_line(&sender.name)),
        None => one_line(&sender.name),
    };
    Mailbox::new(Some(name), own.email)
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope() -> Envelope {
        Envelope {
            to: vec!["sigrun@students.example".to_owned()],
            copy: None,
            message_id: "1.2@college.example".to_owned(),
            sender: Some(Sender {
                name: "Katrin\r\nBcc: x@y.example".to_owned(),
                address: Some("k@college.example".into()),
            }),
            date: chrono::DateTime::UNIX_EPOCH,
        }
    }

    fn text(settings: &MailSettings, envelope: &Envelope, subject: &str) -> String {
        let (plain, html) = ("Hello\r\n.\r\nQUIT".to_owned(), "<p>Hello</p>".to_owned());
        let rendered = Rendered { subject: subject.to_owned(), plain, html };
        String::from_utf8(build(settings, envelope, &rendered).unwrap().formatted()).unwrap()
    }

    #[test]
    fn nothing_that_is_typed_becomes_a_header() {
        let text = text(&MailSettings::default(), &envelope(), "Hi\r\nBcc: all@college.example\n\nbody");
        let head = text.split("\r\n\r\n").next().unwrap();
        assert!(!head.lines().any(|line| line.to_lowercase().starts_with("bcc:")), "{head}");
        assert!(head.contains("Reply-To: k@college.example"), "{head}");
        assert!(head.contains("Message-ID: <1.2@college.example>"), "{head}");
    }

    #[test]
    fn a_rerouted_message_reaches_nobody_else() {
        let settings =
            MailSettings { reroute: Some("test@college.example".parse().unwrap()), ..MailSettings::default() };
        let envelope = Envelope { copy: Some("second@students.example".to_owned()), ..envelope() };
        let rendered = Rendered { subject: "x".to_owned(), plain: "x".to_owned(), html: "x".to_owned() };
        let message = build(&settings, &envelope, &rendered).unwrap();
        assert_eq!(message.envelope().to(), ["test@college.example".parse::<Address>().unwrap()]);
        let text = String::from_utf8(message.formatted()).unwrap();
        assert!(text.contains("X-Docket-Rerouted-For: sigrun@students.example, second@students.example"), "{text}");
    }

    #[test]
    fn a_rerouted_message_names_in_its_text_whom_it_was_for() {
        let settings =
            MailSettings { reroute: Some("test@college.example".parse().unwrap()), ..MailSettings::default() };
        let envelope = Envelope { copy: Some("second@students.example".to_owned()), ..envelope() };
        let text = text(&settings, &envelope, "x");
        // Long lines are broken on their way.
        let body = text.split_once("\r\n\r\n").unwrap().1.replace("=\r\n", "");
        assert!(body.contains("To: sigrun@students.example\r\nCc: second@students.example"), "{body}");
        assert!(body.contains("To: sigrun@students.example<br>Cc: second@students.example"), "{body}");
    }

    #[test]
    fn what_is_no_address_is_found_out_before() {
        let rendered = Rendered { subject: "x".to_owned(), plain: "x".to_owned(), html: "x".to_owned() };
        for wrong in ["", "nobody", "a b@c.example", "a@b.example, c@d.example", "<a@b.example>"] {
            let envelope = Envelope { to: vec![wrong.to_owned()], ..envelope() };
            assert!(build(&MailSettings::default(), &envelope, &rendered).is_err(), "{wrong}");
        }
    }
}
