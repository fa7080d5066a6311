//! The people page: one's caseload with search, filters, a sortable table, and the selection that actions start from.

pub mod api;
pub mod bar;
mod boxes;
pub mod chips;
mod extra_fields;
pub mod filters;
pub mod ids;
pub mod list;
pub mod page_address;
mod picks;
pub mod saved_views;
pub mod selection;
pub mod tabs;
pub mod views;
