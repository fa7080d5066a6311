//! The parts that pages are made of. They take data and give events; what they show comes from the page.

pub mod badge;
pub mod bar;
pub mod blank;
pub mod chart;
pub mod clock;
pub mod form;
pub mod fragment;
pub mod frame;
pub mod help;
pub mod icon;
pub mod keys;
pub mod loaded;
pub mod markup;
pub mod offered;
pub mod own_password;
pub mod pager;
pub mod rail;
pub mod table;
pub mod textarea;
pub mod time;
pub mod title;
pub mod toast;
pub mod topbar;
pub mod type_erasure;
