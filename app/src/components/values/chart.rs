//! Charts as drawings that the server makes: lines over equal parts of time, each with a text for those who do not see it and
//! a table for those who want the numbers.

use leptos::prelude::*;
use model::{Instant, enum_words::capital};

use super::time::{Time, mark};
use crate::components::values::numbers::{counted, grouped};
use crate::components::{icon::Icon, type_erasure::Erase};

/// One line of a chart.
pub struct ChartLine {
    /// How it is drawn: `done`, `p50` or `p95`.
    pub class: &'static str,
    pub name: &'static str,
    /// One for each part; nothing where there is nothing to show.
    pub values: Vec<Option<f64>>,
}

/// A chart over equal parts of time.
pub struct Chart {
    pub title: String,
    /// What one value is, for the text: `tasks`, `s`.
    pub unit: &'static str,
    pub start: Instant,
    /// Seconds of each part.
    pub step: u64,
    /// The first one has the area below it filled.
    pub lines: Vec<ChartLine>,
    /// Counted apart, on a scale of their own.
    pub failed: Option<Vec<u64>>,
}

/// The height of the drawing area, in its own units.
const HEIGHT: f64 = 100.0;
const STRIP: f64 = 16.0;
/// Rows of the table at most.
const ROWS: usize = 24;

impl Chart {
    fn highest(&self) -> f64 {
        self.lines.iter().flat_map(|line| line.values.iter().flatten()).copied().fold(0.0, f64::max)
    }

    fn fails(&self) -> bool {
        self.failed.iter().flatten().any(|failed| *failed > 0)
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.highest() <= 0.0 && !self.fails()
    }

    /// The chart as a figure.
    pub fn view(self) -> AnyView {
        let parts = self.lines.first().map_or(0, |line| line.values.len());
        let (highest, fails) = (self.highest(), self.fails());
        if self.is_empty() {
            return view! {
                <figure class="chart">
                    <figcaption><h2>{self.title}</h2></figcaption>
                    <p class="soft">"Nothing to show. The latest minute is not counted yet."</p>
                </figure>
            }
            .erase();
        }
        let top = if self.unit == "s" { ceiling(highest) } else { whole_ceiling(highest) };
        let width = parts.saturating_sub(1).max(1);
        let grid = (0..=2).map(|line| {
            let y = number(HEIGHT / 2.0 * f64::from(line));
            view! { <line class="grid" x1="0" x2=width.to_string() y1=y.clone() y2=y.clone()></line> }
        });
        let area = self.lines.first().map(|line| {
            runs(&line.values, top)
                .into_iter()
                .map(|run| view! { <polygon class="band" points=closed(&run)></polygon> })
                .collect_view()
        });
        let lines = self.lines.iter().rev().map(|line| {
            let class = line.class;
            runs(&line.values, top)
                .into_iter()
                .map(|run| {
                    let class = if is_lone(&run) { format!("{class} lone") } else { class.to_owned() };
                    view! { <polyline class=class points=joined(&run)></polyline> }
                })
                .collect_view()
        });
        let legend = self.lines.iter().map(|line| {
            view! {
                <li>
                    <svg viewBox="0 0 16 8" aria-hidden="true"><path class=line.class d="M0 4h16"></path></svg>
                    {line.name}
                </li>
            }
        });
        let failed_legend = fails.then(|| {
            view! {
                <li>
                    <svg viewBox="0 0 16 8" aria-hidden="true">
                        <rect class="failed" x="5" width="6" height="8"></rect>
                    </svg>
                    "failed (own scale)"
                </li>
            }
        });
        let strip = self.failed.as_ref().filter(|_| fails).map(|failed| strip(failed));
        let scale = [top, top / 2.0, 0.0].map(|value| view! { <span>{short(value)}</span> });
        let text = self.text();
        let axis = self.axis(parts);
        let table = self.table();
        view! {
            <figure class="chart">
                <figcaption>
                    <h2>{self.title.clone()}</h2>
                    <ul class="legend">{legend.collect_view()}{failed_legend}</ul>
                </figcaption>
                <div class="y" aria-hidden="true">{scale.into_iter().collect_view()}</div>
                <svg
                    viewBox=format!("0 0 {width} {HEIGHT}")
                    preserveAspectRatio="none"
                    role="img"
                    aria-label=text
                >
                    {grid.collect_view()}
                    {area}
                    {lines.collect_view()}
                </svg>
                {strip}
                {axis}
                {table}
            </figure>
        }
        .erase()
    }

    /// What the drawing shows, in a sentence.
    fn text(&self) -> String {
        let told = self.lines.iter().map(|line| {
            let values: Vec<f64> = line.values.iter().flatten().copied().collect();
            let Some(last) = values.last() else { return format!("{}: nothing", line.name) };
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(0.0, f64::max);
            let unit = self.unit;
            format!("{}: between {} and {} {unit}, last {} {unit}", line.name, short(least), short(most), short(*last))
        });
        let mut told: Vec<String> = told.collect();
        if let Some(failed) = &self.failed {
            told.push(format!("failed: {} in all", grouped(failed.iter().sum())));
        }
        format!("{}. {}.", self.title, told.join("; "))
    }

    /// Five moments below.
    fn axis(&self, parts: usize) -> AnyView {
        let days = parts as u64 * self.step > 2 * 86_400;
        let marks = (0..=4).map(|part| {
            let at = self.start + chrono::TimeDelta::seconds((parts as u64 * self.step * part / 4).cast_signed());
            view! { <span>{mark(at, days)}</span> }
        });
        view! { <div class="x" aria-hidden="true">{marks.collect_view()}</div> }.erase()
    }

    /// The same as numbers: at most so many rows, each of so many intervals. What is counted is added up; of spans of time the
    /// longest is told.
    fn table(&self) -> AnyView {
        let parts = self.lines.first().map_or(0, |line| line.values.len());
        let every = parts.div_ceil(ROWS).max(1);
        let heads = self.lines.iter().map(|line| view! { <th scope="col" class="num">{capital(line.name)}</th> });
        let failed_head = self.failed.is_some().then(|| view! { <th scope="col" class="num">"Failed"</th> });
        let has_any = |part: &usize| {
            let any = |value: f64| self.unit == "s" || value > 0.0;
            let mut lines = self.lines.iter().filter_map(|line| together(&line.values, *part, every, self.unit));
            let mut failed = self.failed.iter().flat_map(|failed| failed.iter().skip(*part).take(every));
            lines.any(any) || failed.any(|failed| *failed > 0)
        };
        let rows = (0..parts).step_by(every).filter(has_any).map(|part| {
            let at = self.start + chrono::TimeDelta::seconds((part as u64 * self.step).cast_signed());
            let cells = self.lines.iter().map(|line| {
                let value = together(&line.values, part, every, self.unit);
                let value =
                    value.map(|value| if self.unit == "s" { format!("{}\u{a0}s", short(value)) } else { short(value) });
                view! { <td class="num">{value}</td> }
            });
            let failed = self.failed.as_ref().map(|failed| {
                view! { <td class="num">{grouped(failed.iter().skip(part).take(every).sum())}</td> }
            });
            let key = at.timestamp().to_string();
            view! { <tr data-key=key><th scope="row"><Time at ahead=true/></th>{cells.collect_view()}{failed}</tr> }
        });
        let each = (every > 1).then(|| match self.unit {
            "s" => {
                format!("Each row is the longest within {}, where there is any.", in_words(every as u64 * self.step))
            }
            _ => format!("Each row is the sum of {}, where there is any.", in_words(every as u64 * self.step)),
        });
        let each = each.map(|each| view! { <p class="meta soft">{each}</p> });
        view! {
            <details class="disclosure">
                <summary><Icon name="right"/>"Show as a table"</summary>
                {each}
                <table class="table still">
                    <caption class="hidden">{self.title.clone()}</caption>
                    <thead><tr><th scope="col">"From"</th>{heads.collect_view()}{failed_head}</tr></thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </details>
        }
        .erase()
    }
}

/// A span of whole minutes as a sentence says it: `3 minutes`, `2 hours`.
fn in_words(seconds: u64) -> String {
    match (seconds / 86_400, seconds / 3_600, seconds / 60) {
        (days @ 1.., _, _) if seconds.is_multiple_of(86_400) => counted(days, "day", "days"),
        (_, hours @ 1.., _) if seconds.is_multiple_of(3_600) => counted(hours, "hour", "hours"),
        (.., minutes) => counted(minutes, "minute", "minutes"),
    }
}

/// What so many intervals from one on come to.
fn together(values: &[Option<f64>], from: usize, every: usize, unit: &str) -> Option<f64> {
    let values = values.iter().skip(from).take(every).flatten().copied();
    values.reduce(|a, b| if unit == "s" { a.max(b) } else { a + b })
}

/// Bars of what failed.
fn strip(failed: &[u64]) -> AnyView {
    let most = failed.iter().copied().max().unwrap_or_default();
    let top = whole_ceiling(most as f64);
    let bars = failed.iter().enumerate().filter(|(_, n)| **n > 0).map(|(part, n)| {
        let height = (*n as f64 / top * STRIP).max(1.0);
        view! {
            <rect
                class="failed"
                x=number(part as f64 + 0.2)
                width="0.6"
                y=number(STRIP - height)
                height=number(height)
            ></rect>
        }
    });
    let width = failed.len().max(1);
    let all: u64 = failed.iter().sum();
    view! {
        <div class="y" aria-hidden="true"><span>{short(top)}</span><span>"0"</span></div>
        <svg
            class="strip"
            viewBox=format!("0 0 {width} {STRIP}")
            preserveAspectRatio="none"
            role="img"
            aria-label=format!("Failed: {} in all, at most {} in one interval", grouped(all), grouped(most))
        >
            <line class="grid" x1="0" x2=width.to_string() y1=number(STRIP) y2=number(STRIP)></line>
            {bars.collect_view()}
        </svg>
    }
    .erase()
}

/// A line without scales, for a tile or a row. `label` says what it shows.
pub fn spark(values: &[u64], danger: bool, fixed: bool, label: String) -> AnyView {
    let values: Vec<(usize, u64)> = values.iter().copied().enumerate().collect();
    spark_within(&values, values.len(), danger, fixed, label)
}

/// The same of values that each stand in one of so many parts of a time; of the others nothing is known.
pub fn spark_within(values: &[(usize, u64)], parts: usize, danger: bool, fixed: bool, label: String) -> AnyView {
    let most = values.iter().map(|(_, n)| *n).max().unwrap_or_default().max(1) as f64;
    let width = parts.saturating_sub(1).max(1);
    let points: Vec<(f64, f64)> = values.iter().map(|(x, n)| (*x as f64, 23.5 - *n as f64 / most * 21.5)).collect();
    let ends = [points.first(), points.last()].map(|end| number(end.map_or(0.0, |(x, _)| *x)));
    let area = format!("{},24 {} {},24", ends[0], joined(&points), ends[1]);
    let mut class = "spark".to_owned();
    class.push_str(if danger { " danger" } else { "" });
    class.push_str(if fixed { " fixed" } else { "" });
    view! {
        <svg class=class viewBox=format!("0 0 {width} 24") preserveAspectRatio="none" role="img" aria-label=label>
            <polygon class="area" points=area></polygon>
            <polyline class="stroke" points=joined(&points)></polyline>
        </svg>
    }
    .erase()
}

/// The pieces of a line between its gaps. A value that stands alone is twice the same point, which is drawn as a dot.
fn runs(values: &[Option<f64>], top: f64) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut before = false;
    for (x, value) in values.iter().enumerate() {
        let Some(value) = value else {
            before = false;
            continue;
        };
        let point = (x as f64, HEIGHT - value / top * HEIGHT);
        match runs.last_mut().filter(|_| before) {
            Some(run) => run.push(point),
            None => runs.push(vec![point]),
        }
        before = true;
    }
    for run in runs.iter_mut().filter(|run| run.len() == 1) {
        run.extend_from_within(..);
    }
    runs
}

/// Whether a piece of a line is a value that stands alone.
fn is_lone(run: &[(f64, f64)]) -> bool {
    run.len() == 2 && run.first() == run.last()
}

fn joined(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect::<Vec<_>>().join(" ")
}

/// The area below a piece of a line.
fn closed(points: &[(f64, f64)]) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    format!("{},{HEIGHT} {} {},{HEIGHT}", number(first.0), joined(points), number(last.0))
}

/// The least of 1, 2, 5, 10, 20, 50, … that is not below a value.
fn ceiling(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|top| *top >= value * 0.999_999).unwrap_or(value)
}

/// The same for what is counted: half of it is whole too.
fn whole_ceiling(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1.0).log10().floor());
    [2.0, 4.0, 6.0, 10.0].into_iter().map(|step| step * power).find(|top| *top >= value * 0.999_999).unwrap_or(value)
}

/// One digit after the point, if it says anything.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A value as people read it: whole when it is large.
fn short(value: f64) -> String {
    match value {
        value if value >= 10.0 => grouped(value.round().max(0.0) as u64),
        value if value >= 1.0 || value == 0.0 => number(value),
        // Two digits that say something, as a mark of the scale has at most.
        value => {
            let digits = (1.0 - value.log10().floor()) as usize;
            format!("{value:.digits$}").trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_ends_at_a_round_number_above_what_it_shows() {
        let cases = [(0.0, 1.0), (0.03, 0.05), (1.0, 1.0), (3.0, 5.0), (853.0, 1_000.0), (1_000.0, 1_000.0)];
        for (value, top) in cases {
            assert!((ceiling(value) - top).abs() < 1e-9, "{value}: {}", ceiling(value));
        }
    }

    #[test]
    fn a_line_has_a_gap_where_nothing_was() {
        let runs = runs(&[Some(1.0), Some(2.0), None, Some(2.0)], 2.0);
        assert_eq!(runs, [vec![(0.0, 50.0), (1.0, 0.0)], vec![(3.0, 0.0), (3.0, 0.0)]]);
        assert!(is_lone(&runs[1]) && !is_lone(&runs[0]));
        assert_eq!(closed(&runs[0]), "0,100 0,50 1,0 1,100");
    }

    #[test]
    fn a_table_leaves_no_interval_out() {
        let values = [Some(1.0), None, Some(3.0), Some(2.0), None];
        assert_eq!([0, 3].map(|from| together(&values, from, 3, "tasks")), [Some(4.0), Some(2.0)]);
        assert_eq!([0, 3].map(|from| together(&values, from, 3, "s")), [Some(3.0), Some(2.0)]);
        assert_eq!(together(&values, 4, 1, "tasks"), None);
    }

    #[test]
    fn small_values_keep_their_digits() {
        assert_eq!([0.0, 0.05, 0.5, 1.25, 12.6, 1_234.0].map(short), ["0", "0.05", "0.5", "1.2", "13", "1,234"]);
        assert_eq!([0.004, 0.028, 0.999].map(short), ["0.004", "0.028", "1"]);
    }

    #[test]
    fn what_is_counted_has_whole_marks() {
        let marks = |value| [1.0, 0.5].map(|part| short(whole_ceiling(value) * part));
        assert_eq!(marks(0.0), ["2", "1"]);
        assert_eq!(marks(1.0), ["2", "1"]);
        assert_eq!(marks(3.0), ["4", "2"]);
        assert_eq!(marks(5.0), ["6", "3"]);
        assert_eq!(marks(10.0), ["20", "10"]);
        assert_eq!(marks(61.0), ["100", "50"]);
    }

    #[test]
    fn marks_of_a_scale_are_true() {
        let marks = |value| [1.0, 0.5].map(|part| short(ceiling(value) * part));
        assert_eq!(marks(0.03), ["0.05", "0.025"]);
        assert_eq!(marks(0.001), ["0.001", "0.0005"]);
        assert_eq!(marks(3.0), ["5", "2.5"]);
        assert_eq!(marks(40.0), ["50", "25"]);
    }
}
