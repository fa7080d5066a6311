//! `cargo xtask house`: the figures of how the code is built, which a reader feels and no compiler tells. They may only get
//! better: what is better than its bound lowers the bound with it.

mod circles;
mod counts;
mod read;

use anyhow::{Context, Result};
use read::Crate;
use std::collections::BTreeMap;

/// What a crate may have.
struct Bounds {
    of: &'static str,
    /// Files that need each other in a circle.
    circles: usize,
    /// Rooms that do.
    rooms: usize,
    /// Files in its largest folder.
    folder: usize,
    /// Texts that are put into SQL.
    spliced: usize,
    /// Lists of the states of a task.
    states: usize,
    /// Parameters that are an id of no kind.
    ids: usize,
    /// Public methods of the type that has the most.
    methods: usize,
    /// Texts of SQL that name tables of another crate.
    foreign: usize,
}

static BOUNDS: [Bounds; 7] = [
    Bounds { of: "model", circles: 0, rooms: 3, folder: 9, spliced: 0, states: 0, ids: 0, methods: 16, foreign: 0 },
    Bounds { of: "queue", circles: 0, rooms: 11, folder: 13, spliced: 1, states: 0, ids: 1, methods: 69, foreign: 0 },
    Bounds {
        of: "caseload",
        circles: 0,
        rooms: 16,
        folder: 14,
        spliced: 0,
        states: 0,
        ids: 0,
        methods: 28,
        foreign: 0,
    },
    // What was is not written anew.
    Bounds { of: "migration", circles: 0, rooms: 0, folder: 3, spliced: 1, states: 4, ids: 0, methods: 1, foreign: 20 },
    Bounds { of: "app", circles: 0, rooms: 5, folder: 15, spliced: 0, states: 0, ids: 0, methods: 18, foreign: 0 },
    Bounds { of: "frontend", circles: 0, rooms: 0, folder: 15, spliced: 0, states: 0, ids: 0, methods: 0, foreign: 0 },
    Bounds { of: "server", circles: 0, rooms: 10, folder: 13, spliced: 0, states: 0, ids: 0, methods: 10, foreign: 0 },
];
/// Names that several types may share.
const NAMES: usize = 1;

/// Prints the figures beside their bounds, and with `all` what each is made of.
///
/// # Errors
/// When a source cannot be read.
pub fn house(all: bool) -> Result<()> {
    let crates = read::crates()?;
    let tables = counts::tables(&crates);
    println!(
        "{:<10} {:>6} {:>14} {:>15} {:>15} {:>5} {:>12} {:>16} {:>10} {:>16} {:>18}",
        "crate",
        "files",
        "in circles",
        "rooms in them",
        "in one folder",
        "SQL",
        "put together",
        "lists of states",
        "bare ids",
        "on one type",
        "tables of others"
    );
    for of in &crates {
        let (figures, bounds) = (Figures::of(of, &tables), bounds_of(of.name)?);
        let of_at_most = |figure: usize, bound: usize| format!("{figure} of {bound}");
        println!(
            "{:<10} {:>6} {:>14} {:>15} {:>15} {:>5} {:>12} {:>16} {:>10} {:>16} {:>18}",
            of.name,
            of.files.len(),
            of_at_most(figures.circles.iter().map(Vec::len).sum(), bounds.circles),
            of_at_most(figures.rooms.len(), bounds.rooms),
            of_at_most(figures.folder, bounds.folder),
            figures.counts.sql,
            of_at_most(figures.counts.spliced, bounds.spliced),
            of_at_most(figures.counts.states, bounds.states),
            of_at_most(figures.counts.ids, bounds.ids),
            of_at_most(figures.counts.methods(), bounds.methods),
            of_at_most(figures.foreign, bounds.foreign),
        );
        if all {
            for circle in &figures.circles {
                println!("    a circle of {} files", circle.len());
                circle.iter().for_each(|file| println!("        {} needs {}", file.path, file.needs.join(" ")));
            }
            println!("    rooms that need each other: {}", figures.rooms.join(" "));
            of.folders().into_iter().for_each(|(folder, files)| println!("    {files} files in {folder}"));
        }
    }
    let shared = counts::names_used_twice(&crates);
    println!("{} of {NAMES} names are given to several types", shared.len());
    if all {
        for (name, files) in shared {
            println!("    {name}: {}", files.into_iter().collect::<Vec<_>>().join(" "));
        }
    }
    Ok(())
}

fn bounds_of(name: &str) -> Result<&'static Bounds> {
    BOUNDS.iter().find(|bounds| bounds.of == name).with_context(|| format!("{name} has no bounds"))
}

struct Figures<'a> {
    circles: Vec<Vec<circles::Within<'a>>>,
    rooms: Vec<String>,
    folder: usize,
    counts: counts::Counts,
    foreign: usize,
}

impl Figures<'_> {
    fn of<'a>(of: &'a Crate, tables: &BTreeMap<String, &str>) -> Figures<'a> {
        let folder = of.folders().into_values().max().unwrap_or_default();
        let rooms = circles::rooms_in_circles(of);
        Figures {
            circles: circles::circles(of),
            rooms,
            folder,
            counts: counts::counts(of),
            foreign: counts::foreign(of, tables),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_figure_is_worse_than_it_was() {
        let crates = read::crates().unwrap();
        let tables = counts::tables(&crates);
        for of in &crates {
            let (figures, bounds) = (Figures::of(of, &tables), bounds_of(of.name).unwrap());
            let circles: usize = figures.circles.iter().map(Vec::len).sum();
            let counts = &figures.counts;
            let now = [
                circles,
                figures.rooms.len(),
                figures.folder,
                counts.spliced,
                counts.states,
                counts.ids,
                counts.methods(),
                figures.foreign,
            ];
            let most = [
                bounds.circles,
                bounds.rooms,
                bounds.folder,
                bounds.spliced,
                bounds.states,
                bounds.ids,
                bounds.methods,
                bounds.foreign,
            ];
            assert!(now.iter().zip(most).all(|(now, most)| *now <= most), "{}: {now:?} of {most:?} at most", of.name);
        }
        let shared = counts::names_used_twice(&crates);
        assert!(shared.len() <= NAMES, "{} of {NAMES} names at most are given to several types", shared.len());
    }
}
