//! Answers that many calls have in common, or that take more than a line to describe: the task that was accepted, the file
//! of an export, and the refusals, which all are problems.

use std::collections::BTreeMap;

use model::{Problem, Submitted, TaskDetail, action::ExportFormat};
use utoipa::{
    IntoResponses, ToSchema,
    openapi::{
        Content, HeaderBuilder, Object, Ref, RefOr, Response, ResponseBuilder, Schema, header::Header, schema::Type,
    },
};

type Responses = BTreeMap<String, RefOr<Response>>;

/// The refusals, as the document names them. The first is for whatever else goes wrong.
const REFUSALS: &[(&str, &str, &str)] = &[
    ("default", "Problem", "Anything else that went wrong; `status` says what."),
    ("400", "Invalid", "Something in the request is wrong or missing; `errors` names the fields."),
    ("401", "SignedOut", "Nobody is signed in, or what was to sign somebody in is not right."),
    (
        "403",
        "Forbidden",
        "The caller, or the scope of their token, does not allow it, or the request came from a page of another site.",
    ),
    ("404", "NotFound", "There is no such thing, or it is not the caller's to see."),
    ("409", "Conflict", "Somebody or something was there first; for a task, `currentStatus` says where it stands."),
    ("410", "Gone", "It was kept for a while and is gone now."),
    ("413", "TooLarge", "The request is too large."),
    ("415", "UnsupportedType", "The body is not `application/json`."),
    ("416", "RangeNotSatisfiable", "The file has no such range; `Content-Range` says how long it is."),
    ("422", "Refused", "Understood, but refused as it stands: `code` says why, such as `confirmation_required`."),
    (
        "429",
        "Throttled",
        "More than one account can ask for or have, where `limit` names the setting; or too many attempts. `Retry-After` says for \
         how many seconds to wait where waiting helps.",
    ),
    ("503", "Unavailable", "A part that is needed does not answer just now."),
];

/// The shared responses, by name.
pub fn responses() -> impl Iterator<Item = (&'static str, Response)> {
    REFUSALS.iter().map(|&(status, name, description)| {
        let problem = Content::new(Some(Ref::from_schema_name(Problem::name())));
        let response = ResponseBuilder::new().description(description).content("application/problem+json", problem);
        let response = match status {
            "416" => response.header("Content-Range", text("`bytes */SIZE`")),
            "429" => response
                .header("Retry-After", text("In seconds."))
                .header(
                    "RateLimit-Policy",
                    text("How many requests an account can send at the same time, and in how many seconds."),
                )
                .header("RateLimit", text("How many are left, and in how many seconds there will be all again.")),
            _ => response,
        };
        (name, response.build())
    })
}

fn text(description: &str) -> Header {
    HeaderBuilder::new().schema(Some(Object::with_type(Type::String))).description(Some(description)).build()
}

fn refused(statuses: &[&str]) -> Responses {
    let known = REFUSALS.iter().filter(|(status, ..)| statuses.contains(status));
    known.map(|(status, name, _)| ((*status).to_owned(), Ref::from_response_name(*name).into())).collect()
}

/// What every call can be refused with.
pub struct Always;

impl IntoResponses for Always {
    fn responses() -> Responses {
        refused(&["401", "403", "429", "503", "default"])
    }
}

/// What every call with a body can be refused with.
pub struct WithBody;

impl IntoResponses for WithBody {
    fn responses() -> Responses {
        refused(&["400", "403", "413", "415"])
    }
}

/// One status of a call's own.
pub struct Refused<const STATUS: u16>;

impl<const STATUS: u16> IntoResponses for Refused<STATUS> {
    fn responses() -> Responses {
        refused(&[&STATUS.to_string()])
    }
}

/// 202, with the task and its address.
pub struct Accepted;

impl IntoResponses for Accepted {
    fn responses() -> Responses {
        with_task("The task is kept and will run.", &Submitted::name())
    }
}

/// 202, with the task that something was done to, and its address.
pub struct Acted;

impl IntoResponses for Acted {
    fn responses() -> Responses {
        with_task("It is done; this is the task as it stands now.", &TaskDetail::name())
    }
}

fn with_task(description: &str, schema: &str) -> Responses {
    let response = ResponseBuilder::new()
        .description(description)
        .header("Location", text("The address of the task."))
        .content("application/json", Content::new(Some(Ref::from_schema_name(schema))));
    BTreeMap::from([("202".to_owned(), response.build().into())])
}

/// 200 with the file of an export, or 206 with a range of it.
pub struct File;

impl IntoResponses for File {
    fn responses() -> Responses {
        let whole = file("The whole file.").header("Accept-Ranges", text("`bytes`"));
        let part = file("A range of it.").header("Content-Range", text("`bytes FIRST-LAST/SIZE`"));
        [("200", whole), ("206", part)].map(|(status, response)| (status.to_owned(), response.build().into())).into()
    }
}

fn file(description: &str) -> ResponseBuilder {
    let head = ResponseBuilder::new()
        .description(description)
        .header("Content-Disposition", text("What to save it as."))
        .header("ETag", text("Tells it from the file of another export."));
    ExportFormat::ALL
        .iter()
        .filter_map(|format| format.media_type().split(';').next())
        .fold(head, |response, kind| response.content(kind, Content::new(None::<RefOr<Schema>>)))
}
