//! Pictures for the pages of help, made of the parts that pages are made of, so that they look as these do. Nothing in them can be
//! pressed, and whoever hears the page is told by the words around them.

use leptos::prelude::*;
use model::{Outcome, ProgramStatus, TaskState};

use crate::{
    components::{
        blank::Notice,
        icon::Icon,
        type_erasure::Erase,
        values::badge::{Badge, OutcomeBadge, StatusBadge, state_badge},
    },
    help::article::PictureOf,
};

pub fn draw(of: PictureOf) -> AnyView {
    match of {
        PictureOf::SearchAndChips => search(),
        PictureOf::Rows => rows(),
        PictureOf::SelectionBar => bar(),
        PictureOf::Views => views(),
        PictureOf::Sum { will, skipped, whole } => sum(will, skipped, whole),
        PictureOf::Confirm => confirm(),
        PictureOf::Hold => hold(),
        PictureOf::File => file(),
        PictureOf::Progress => progress(),
        PictureOf::Outcomes => outcomes(),
        PictureOf::Undo => undo(),
        PictureOf::Attention => attention(),
        PictureOf::Act => act(),
        PictureOf::Columns => columns(),
    }
}

fn button(icon: &'static str, words: &'static str) -> AnyView {
    let icon = (!icon.is_empty()).then(|| view! { <Icon name=icon/> });
    view! { <span class="button">{icon}{words}</span> }.erase()
}

fn primary(words: &'static str) -> AnyView {
    view! { <span class="button primary">{words}</span> }.erase()
}

fn search() -> AnyView {
    let chip = |words: &'static str| view! { <span class="chip"><span>{words}</span><Icon name="close"/></span> };
    view! {
        <div class="stack tight">
            <div class="line">{button("down", "Status")}{button("down", "Campus")}{button("", "Apply")}</div>
            <div class="chips"><span>"214 people match"</span>{chip("Status: Active")}{chip("Campus: Main")}</div>
        </div>
    }
    .erase()
}

fn rows() -> AnyView {
    let row = |name: &'static str, status, checked| {
        view! {
            <tr data-key=name>
                <td class="check"><input type="checkbox" disabled checked=checked/></td>
                <th scope="row" class="name">{name}</th>
                <td><StatusBadge status/></td>
            </tr>
        }
    };
    view! {
        <table class="table still">
            <tbody>
                {row("Abbott, Lena", ProgramStatus::Active, true)}
                {row("Adeyemi, Femi", ProgramStatus::Active, true)}
                {row("Albers, Jonas", ProgramStatus::NoShow, false)}
            </tbody>
        </table>
    }
    .erase()
}

fn bar() -> AnyView {
    view! {
        <div class="selectionbar">
            <div class="what"><strong>"214 selected"</strong></div>
            <div class="line">
                {button("swap", "Set program status…")}{button("mail", "Email…")}{button("watch", "Watch list…")}
            </div>
        </div>
    }
    .erase()
}

fn views() -> AnyView {
    view! {
        <div class="stack tight">
            <div class="line">{button("down", "Save view")}</div>
            <div class="line"><span class="input">"Fall starters"</span>{button("", "Save this view")}</div>
        </div>
    }
    .erase()
}

fn sum(will: &'static str, skipped: &'static str, whole: &'static str) -> AnyView {
    view! {
        <table class="table still sum">
            <tbody>
                <tr data-key="change" class="lead"><td class="num">"183"</td><td>{will}</td></tr>
                <tr data-key="skipped"><td class="num">"31"</td><td>{skipped}</td></tr>
            </tbody>
            <tfoot><tr><td class="num">"214"</td><td>{whole}</td></tr></tfoot>
        </table>
    }
    .erase()
}

fn confirm() -> AnyView {
    view! { <div class="line">{primary("Set 183 people to Inactive")}{button("", "Cancel")}</div> }.erase()
}

fn hold() -> AnyView {
    view! { <div class="line">{state_badge(TaskState::Held)}{button("", "Cancel email")}{primary("Send now")}</div> }
        .erase()
}

fn file() -> AnyView {
    view! {
        <div class="line">
            <span class="button primary"><Icon name="export"/>"Download CSV (24 kB)"</span>
            <span class="meta soft">"214 people"</span>
        </div>
    }
    .erase()
}

fn progress() -> AnyView {
    let part = |outcome: &'static str, x: &'static str, width: &'static str| {
        view! { <rect data-outcome=outcome x=x y="-1" width=width height="3"></rect> }
    };
    view! {
        <div class="progress">
            <p class="lead"><strong>"62%"</strong><span>"33 people per second · about 17 s left"</span></p>
            <svg class="bar thick" viewBox="0 0 214 1" preserveAspectRatio="none">
                {part("done", "0", "112")}{part("skipped", "112", "18")}{part("failed", "130", "2")}
            </svg>
        </div>
    }
    .erase()
}

fn outcomes() -> AnyView {
    let tab = |outcome, count: &'static str| view! { <span class="line"><OutcomeBadge outcome/>{count}</span> };
    view! {
        <div class="line">
            {tab(Some(Outcome::Done), "181")}{tab(Some(Outcome::Skipped), "31")}{tab(Some(Outcome::Failed), "2")}
            {tab(Some(Outcome::Uncertain), "0")}{tab(None, "0")}
        </div>
    }
    .erase()
}

fn undo() -> AnyView {
    view! { <div class="line"><strong>"Set status to Inactive"</strong>{state_badge(TaskState::Done)}{button("undo", "Undo…")}</div> }
        .erase()
}

fn attention() -> AnyView {
    view! {
        <ul class="attention">
            <li data-key="failing" class="bad"><Icon name="failed"/><div>"12 tasks failed for one cause"</div>{button("", "See the failures")}</li>
            <li data-key="waiting"><Icon name="stalled"/><div>"The oldest task has waited for 9 min"</div>{button("", "See waiting tasks")}</li>
        </ul>
    }
    .erase()
}

fn act() -> AnyView {
    view! {
        <div class="stack tight">
            <Notice tone="info" title="Reason" text="The mail server is back."/>
            <div class="line">
                <span class="button primary"><Icon name="retrying"/>"Retry"</span>
                <span class="button danger outlined"><Icon name="abandoned"/>"Close task"</span>
            </div>
        </div>
    }
    .erase()
}

fn columns() -> AnyView {
    let row =
        |column: &'static str, field: &'static str, tone: &'static str, icon: &'static str, said: &'static str| {
            view! {
                <tr data-key=column>
                    <td class="id">{column}</td>
                    <td>{field}</td>
                    <td><Badge icon tone text=said/></td>
                </tr>
            }
        };
    view! {
        <table class="table still">
            <tbody>
                {row("student_id", "School ID", "ok", "done", "Sure")}
                {row("surname", "Last name", "ok", "done", "Likely")}
                {row("shoe_size", "Do not import", "warn", "problems", "Check")}
            </tbody>
        </table>
    }
    .erase()
}
