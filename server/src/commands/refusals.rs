//! Refusals as a terminal shows them.

/// A refusal in words for a terminal: the detail says it all.
pub(crate) fn said(error: caseload::Error) -> anyhow::Error {
    match error {
        caseload::Error::Refused(problem) => anyhow::anyhow!("{}", problem.detail),
        fault => fault.into(),
    }
}
