//! Which addresses of a person a message goes to.

use model::action::Recipients;

/// The address of the person `p` that a message goes to, null when there is none.
pub fn address(recipients: Recipients) -> &'static str {
    match recipients {
        Recipients::Primary => "NULLIF(TRIM(p.primary_email), '')",
        Recipients::Secondary => "NULLIF(TRIM(p.secondary_email), '')",
        Recipients::Both => "COALESCE(NULLIF(TRIM(p.primary_email), ''), NULLIF(TRIM(p.secondary_email), ''))",
    }
}

/// The address of the person `p` that gets a copy of their message, null when there is none.
pub fn second_address(recipients: Recipients) -> &'static str {
    match recipients {
        Recipients::Primary | Recipients::Secondary => "CAST(NULL AS text)",
        Recipients::Both => {
            "CASE WHEN NULLIF(TRIM(p.primary_email), '') IS NOT NULL AND LOWER(TRIM(p.primary_email)) <> LOWER(TRIM(p.secondary_email))
                  THEN NULLIF(TRIM(p.secondary_email), '') END"
        }
    }
}
