//! Which files of a crate need each other, and which of its rooms: a circle of them has no beginning from which it could be read.

use super::read::{Crate, File};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Expr, Item, Macro, UseTree, visit::Visit};

/// A file of a circle, and those of the circle that it needs.
pub struct Within<'a> {
    pub path: &'a str,
    pub needs: Vec<&'a str>,
}

/// The circles of a crate.
pub fn circles(of: &Crate) -> Vec<Vec<Within<'_>>> {
    let names = Names::of(of);
    let needs: Vec<BTreeSet<usize>> = (0..of.files.len()).map(|at| names.needs(at)).collect();
    let reached: Vec<BTreeSet<usize>> = (0..needs.len()).map(|at| reached(at, &needs)).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for at in 0..needs.len() {
        let circle: Vec<_> = reached[at].iter().copied().filter(|other| reached[*other].contains(&at)).collect();
        if circle.len() > 1 && seen.insert(circle.clone()) {
            let path = |file: usize| of.files[file].path.as_str();
            let within = |file: &usize| Within {
                path: path(*file),
                needs: needs[*file].iter().filter(|other| circle.contains(other)).map(|other| path(*other)).collect(),
            };
            circles.push(circle.iter().map(within).collect());
        }
    }
    circles
}

/// The rooms of a crate that need each other in a circle, by name. A room is a folder, or a file that stands beside the folders;
/// what holds them all is none.
pub fn rooms_in_circles(of: &Crate) -> Vec<String> {
    let names = Names::of(of);
    let room = |file: usize| of.files[file].module.first().cloned();
    let rooms: Vec<String> = (0..of.files.len()).filter_map(room).collect::<BTreeSet<_>>().into_iter().collect();
    let place = |file: usize| room(file).and_then(|name| rooms.binary_search(&name).ok());
    let mut needs = vec![BTreeSet::new(); rooms.len()];
    for file in 0..of.files.len() {
        let Some(here) = place(file) else { continue };
        needs[here].extend(names.needs(file).into_iter().filter_map(place).filter(|other| *other != here));
    }
    let in_circle = (0..rooms.len()).filter(|at| reached(*at, &needs).contains(at));
    in_circle.map(|at| rooms[at].clone()).collect()
}

fn reached(from: usize, needs: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(at) = next.pop() {
        next.extend(needs[at].iter().copied().filter(|other| reached.insert(*other)));
    }
    reached
}

/// A path as it is written, and what it is called where it is brought in.
struct Brought {
    path: Vec<String>,
    /// Nothing where all that is there is brought in.
    name: Option<String>,
}

/// What each file of a crate names.
struct Names<'a> {
    files: &'a [File],
    modules: BTreeMap<&'a [String], usize>,
    /// By file: what it defines itself.
    defined: Vec<BTreeSet<String>>,
    /// By file: what it brings in.
    brought: Vec<Vec<Brought>>,
    /// The methods of types that have some in several files, by type and name, each with its file.
    spread: BTreeMap<(String, String), usize>,
}

impl<'a> Names<'a> {
    fn of(of: &'a Crate) -> Names<'a> {
        let modules = of.files.iter().enumerate().map(|(at, file)| (file.module.as_slice(), at)).collect();
        let defined = of.files.iter().map(|file| file.items.iter().filter_map(name).collect()).collect();
        let brought = of.files.iter().map(|file| {
            let mut brought = Vec::new();
            for item in &file.items {
                if let Item::Use(item) = item {
                    flatten(&item.tree, &mut Vec::new(), &mut brought);
                }
            }
            brought
        });
        Names { files: &of.files, modules, defined, brought: brought.collect(), spread: spread(&of.files) }
    }

    /// The other files that this one names something of.
    fn needs(&self, at: usize) -> BTreeSet<usize> {
        let mut paths = Paths::default();
        for item in &self.files[at].items {
            match item {
                Item::Use(_) => {}
                item => paths.visit_item(item),
            }
        }
        let brought = self.brought[at].iter().map(|brought| brought.path.clone());
        let mut needs: BTreeSet<usize> =
            paths.found.into_iter().chain(brought).filter_map(|path| self.file_of(at, &path, 0)).collect();
        needs.extend(paths.methods.iter().filter_map(|method| self.spread.get(method)));
        needs.remove(&at);
        needs
    }

    /// The file that holds what a path names that is written in this file; nothing for what is of another crate.
    fn file_of(&self, at: usize, path: &[String], depth: usize) -> Option<usize> {
        let here = &self.files[at].module;
        let (mut module, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (here.clone(), &path[1..]),
            "super" => (here.split_last()?.1.to_vec(), &path[1..]),
            name => {
                let child: Vec<String> = here.iter().cloned().chain([name.to_owned()]).collect();
                self.modules.contains_key(child.as_slice()).then_some((here.clone(), path))?
            }
        };
        while rest.first().is_some_and(|name| name == "super") {
            module.pop()?;
            rest = &rest[1..];
        }
        loop {
            let file = *self.modules.get(module.as_slice())?;
            let Some((name, after)) = rest.split_first() else { return Some(file) };
            module.push(name.clone());
            if self.modules.contains_key(module.as_slice()) {
                rest = after;
                continue;
            }
            return Some(self.through(file, name, after, depth).unwrap_or(file));
        }
    }

    /// Where something is that a file brings in from elsewhere.
    fn through(&self, file: usize, name: &str, after: &[String], depth: usize) -> Option<usize> {
        if depth > 8 || self.defined[file].contains(name) {
            return None;
        }
        let by_name = self.brought[file].iter().filter(|brought| brought.name.as_deref() == Some(name));
        let named = by_name.map(|brought| [brought.path.as_slice(), after].concat());
        let from_all = self.brought[file].iter().filter(|brought| brought.name.is_none());
        let all = from_all.map(|brought| [brought.path.as_slice(), &[name.to_owned()], after].concat());
        named.chain(all).find_map(|path| self.file_of(file, &path, depth + 1))
    }
}

/// Where the methods are whose type has some in several files: whoever calls one needs the file, and names only the type.
fn spread(files: &[File]) -> BTreeMap<(String, String), usize> {
    let (mut of_types, mut methods) = (BTreeMap::<String, BTreeSet<usize>>::new(), BTreeMap::new());
    for (at, file) in files.iter().enumerate() {
        for item in &file.items {
            let Item::Impl(item) = item else { continue };
            let (Some(of), None) = (type_of(item), &item.trait_) else { continue };
            for method in &item.items {
                if let syn::ImplItem::Fn(method) = method {
                    methods.insert((of.clone(), method.sig.ident.to_string()), at);
                }
            }
            of_types.entry(of).or_default().insert(at);
        }
    }
    methods.retain(|(of, _), _| of_types.get(of).is_some_and(|files| files.len() > 1));
    methods
}

fn type_of(item: &syn::ItemImpl) -> Option<String> {
    let syn::Type::Path(of) = &*item.self_ty else { return None };
    of.path.segments.last().map(|of| of.ident.to_string())
}

fn flatten(tree: &UseTree, above: &mut Vec<String>, brought: &mut Vec<Brought>) {
    match tree {
        UseTree::Path(path) => {
            above.push(path.ident.to_string());
            flatten(&path.tree, above, brought);
            above.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, above, brought)),
        UseTree::Glob(_) => brought.push(Brought { path: above.clone(), name: None }),
        UseTree::Name(name) if name.ident == "self" => {
            brought.push(Brought { path: above.clone(), name: above.last().cloned() });
        }
        UseTree::Name(name) => {
            let path = above.iter().cloned().chain([name.ident.to_string()]).collect();
            brought.push(Brought { path, name: Some(name.ident.to_string()) });
        }
        UseTree::Rename(name) => {
            let path = above.iter().cloned().chain([name.ident.to_string()]).collect();
            brought.push(Brought { path, name: Some(name.rename.to_string()) });
        }
    }
}

fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}

/// The paths of more than one name that stand in some code, in macros too, and the methods that are called there.
#[derive(Default)]
struct Paths {
    found: Vec<Vec<String>>,
    /// Each with its type: the one whose method calls it, or the one that its value is named after.
    methods: BTreeSet<(String, String)>,
    within: Option<String>,
}

impl Paths {
    fn type_of(&self, value: &Expr) -> Option<String> {
        let name = match value {
            Expr::Path(path) => path.path.get_ident()?.to_string(),
            Expr::Field(syn::ExprField { member: syn::Member::Named(name), .. }) => name.to_string(),
            Expr::MethodCall(call) => call.method.to_string(),
            Expr::Await(awaited) => return self.type_of(&awaited.base),
            _ => return None,
        };
        if name == "self" {
            return self.within.clone();
        }
        let words = name
            .split('_')
            .map(|word| word.chars().next().map(|c| c.to_uppercase().to_string() + &word[c.len_utf8()..]));
        words.collect()
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.found.push(names);
        }
        syn::visit::visit_path(self, path);
    }

    /// What is brought in where it is needed, within a function.
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut brought = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut brought);
        self.found.extend(brought.into_iter().map(|brought| brought.path));
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.within = type_of(item);
        syn::visit::visit_item_impl(self, item);
        self.within = None;
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let Some(of) = self.type_of(&call.receiver) {
            self.methods.insert((of, call.method.to_string()));
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let text = called.tokens.to_string();
        let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let joined = text.replace(" :: ", "::").replace(":: ", "::");
        let paths = joined.split(|c: char| !is_of_path(c)).filter(|path| path.contains("::"));
        self.found.extend(paths.map(|path| path.split("::").map(str::to_owned).collect()));
        syn::visit::visit_macro(self, called);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Crate {
        let files = files.iter().map(|(module, text)| {
            let module = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            File::parse(format!("{module:?}"), module, text).unwrap()
        });
        Crate { name: "house", files: files.collect() }
    }

    #[test]
    fn two_files_that_name_each_other_are_a_circle() {
        let house = of(&[("", "mod a; mod b;"), ("a", "use crate::b::B; struct A;"), ("b", "struct B(super::a::A);")]);
        let circles = circles(&house);
        assert_eq!(circles.len(), 1);
        assert_eq!((circles[0][0].path, circles[0][0].needs.as_slice()), (r#"["a"]"#, [r#"["b"]"#].as_slice()));
    }

    #[test]
    fn what_a_function_brings_in_for_itself_counts() {
        let house = of(&[
            ("", "mod a; mod b;"),
            ("a", "fn f() { use crate::b::B; } struct A;"),
            ("b", "struct B(super::a::A);"),
        ]);
        assert_eq!(circles(&house).len(), 1);
    }

    #[test]
    fn what_a_file_hands_on_is_where_it_was_made() {
        let house = of(&[("", "mod a; mod b; pub use a::A;"), ("a", "pub struct A;"), ("b", "use crate::A;")]);
        assert!(circles(&house).is_empty());
    }

    #[test]
    fn two_rooms_that_need_each_other_are_a_circle_though_none_of_their_files_are() {
        let house = of(&[
            ("", "mod a; mod b; mod c;"),
            ("a", "mod one; mod two;"),
            ("a::one", "use crate::b::B; struct A;"),
            ("a::two", "struct Two;"),
            ("b", "use crate::a::two::Two; struct B;"),
            ("c", "use crate::a::two::Two;"),
        ]);
        assert!(circles(&house).is_empty());
        assert_eq!(rooms_in_circles(&house), ["a", "b"]);
    }

    #[test]
    fn a_method_of_a_type_that_several_files_share_is_of_its_file() {
        let both = [
            ("", "mod a; mod b; struct S;"),
            ("a", "impl crate::S { fn one(&self) { self.two() } }"),
            ("b", "impl crate::S { fn two(&self) {} } fn f(s: crate::S) { other.one() }"),
        ];
        assert!(circles(&of(&both)).is_empty());
        for calls in ["self.one()", "crate::S::default().s().one()"] {
            let back = format!("impl crate::S {{ fn two(&self) {{ {calls} }} }}");
            assert_eq!(circles(&of(&[both[0], both[1], ("b", &back)])).len(), 1, "{calls}");
        }
    }

    #[test]
    fn what_stands_in_a_macro_counts() {
        let house = of(&[("", "mod a; fn f() {}"), ("a", "fn a() { println!(\"{}\", crate::f()); }")]);
        assert!(circles(&house).is_empty());
        let house = of(&[("", "mod a; fn f() { a::a() }"), ("a", "fn a() { println!(\"{}\", crate::f()); }")]);
        assert_eq!(circles(&house).len(), 1);
    }
}
