//! How Docket looks and behaves, and where its emails go: one form, with one button for all of it.

use leptos::{prelude::*, server_fn::ServerFn};
use model::preferences::{DateFormat, NumberFormat, Preferences, Theme};

use super::{api::SetPreferences, email_address};
use crate::{
    components::{icon::Icon, optional::Optional, type_erasure::Erase},
    refusal::{Refusal, wrong},
};

pub fn section(
    preferences: &Preferences,
    zones: Vec<&'static str>,
    (own, requested): (Option<String>, Option<String>),
    mail: bool,
    refusal: Option<&Refusal>,
) -> AnyView {
    // All of it is back, or nothing: it is another form that was refused.
    let given = |field: &str| refusal.and_then(|refusal| refusal.given(field));
    let ticked = |field: &str, kept: bool| given(field).map_or(kept, |given| !given.is_empty());
    let chosen_theme = given("theme").unwrap_or_else(|| preferences.theme.name().to_owned());
    let chosen_dates = given("dates").unwrap_or_else(|| preferences.dates.name().to_owned());
    let chosen_numbers = given("numbers").unwrap_or_else(|| preferences.numbers.name().to_owned());
    let (live, shortcuts) = (ticked("live", preferences.live), ticked("shortcuts", preferences.shortcuts));
    let zone = wrong(refusal, "time_zone");
    let bad_address = wrong(refusal, "address");
    let themes = Theme::ALL
        .iter()
        .map(|theme| {
            let checked = theme.name() == chosen_theme;
            view! {
                <label class="choice">
                    <input type="radio" name="theme" value=theme.name() checked=checked/>
                    <span>{theme.label()}</span>
                </label>
            }
        })
        .collect_view();
    let dates = DateFormat::ALL
        .iter()
        .map(|format| {
            let selected = format.name() == chosen_dates;
            view! { <option value=format.name() selected=selected>{format.label()}</option> }
        })
        .collect_view();
    let numbers = NumberFormat::ALL
        .iter()
        .map(|format| {
            let selected = format.name() == chosen_numbers;
            view! { <option value=format.name() selected=selected>{format.label()}</option> }
        })
        .collect_view();
    let zones = zones.into_iter().map(|zone| view! { <option value=zone></option> }).collect_view();
    view! {
        <section aria-labelledby="h-look" class="stack tight measure">
            <div class="section"><h2 id="h-look">"Preferences"</h2></div>
            <form class="stack" method="post" action=SetPreferences::url()>
                <fieldset class="field">
                    <legend>"Theme"</legend>
                    <div class="line">{themes}</div>
                </fieldset>
                <div class="field">
                    <label for="time_zone">"Time zone"<Optional/></label>
                    <input
                        class="input"
                        id="time_zone"
                        name="time_zone"
                        list="time-zones"
                        placeholder="Same as this device"
                        value=given("time_zone").or_else(|| preferences.time_zone.clone())
                        autocomplete="off"
                        spellcheck="false"
                        aria-describedby="time_zone-hint time_zone-problem"
                        aria-invalid=zone.is_some().then_some("true")
                    />
                    <datalist id="time-zones">{zones}</datalist>
                    <span class="hint" id="time_zone-hint">"Leave empty to use your device’s time zone."</span>
                    <span class="problem" id="time_zone-problem">{zone}</span>
                </div>
                <div class="halves small">
                    <div class="field">
                        <label for="dates">"Dates"</label>
                        <span class="select">
                            <select id="dates" name="dates">{dates}</select>
                            <Icon name="down"/>
                        </span>
                    </div>
                    <div class="field">
                        <label for="numbers">"Numbers"</label>
                        <span class="select">
                            <select id="numbers" name="numbers">{numbers}</select>
                            <Icon name="down"/>
                        </span>
                    </div>
                </div>
                <fieldset class="field">
                    <legend>"Behavior"</legend>
                    <div class="choices">
                        <label class="choice">
                            <input type="checkbox" name="live" value="on" checked=live/>
                            <span>"Live pages"<small>"Lists and progress update automatically"</small></span>
                        </label>
                        <label class="choice">
                            <input type="checkbox" name="shortcuts" value="on" checked=shortcuts/>
                            <span>"Use single-key shortcuts"<small>"Press ? for shortcuts"</small></span>
                        </label>
                    </div>
                </fieldset>
                <fieldset class="field">
                    <legend>"Email"</legend>
                    <div class="stack tight">
                <div class="field">
                    <label for="address">"Your email address"<Optional/></label>
                    <input
                        class="input"
                        id="address"
                        name="address"
                        type="email"
                        value=given("address").or(own)
                        autocomplete="email"
                        aria-describedby="address-hint address-problem"
                        aria-invalid=bad_address.is_some().then_some("true")
                    />
                    <span class="hint" id="address-hint">"Replies to your emails, test emails and notices go here."</span>
                    {email_address::waiting(requested)}
                    <span class="problem" id="address-problem">{bad_address}</span>
                </div>
                <label class="choice">
                    <input type="checkbox" name="notify" value="on" checked=ticked("notify", preferences.notify)/>
                    <span>
                        "Email me when a task of mine has ended"
                        <small>{if mail { "If it took over a minute or you have left Docket" } else { "Works once email is set up" }}</small>
                    </span>
                </label>
                    </div>
                </fieldset>
                <div class="line"><button class="button primary">"Save preferences"</button></div>
            </form>
        </section>
    }
    .erase()
}
