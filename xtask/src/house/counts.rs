//! What is counted in the code: text that is spliced into SQL, ids that could be of anything, names that mean several things.

use super::read::Crate;
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    Expr, ExprMethodCall, FnArg, ImplItem, Item, ItemImpl, Lit, Macro, Type, Visibility,
    visit::{self, Visit},
};

/// What a crate has of these.
#[derive(Default)]
pub struct Counts {
    /// Texts of SQL.
    pub sql: usize,
    /// Those of them that others are put into, and places that exchange something in one.
    pub spliced: usize,
    /// Lists of the states of a task, written out.
    pub states: usize,
    /// Parameters that are an id of no kind.
    pub ids: usize,
    /// Public methods, by the type that has them.
    methods: BTreeMap<String, usize>,
}

impl Counts {
    /// How many public methods the type has that has the most.
    pub fn methods(&self) -> usize {
        self.methods.values().copied().max().unwrap_or_default()
    }
}

pub fn counts(of: &Crate) -> Counts {
    let mut counting = Counts::default();
    of.files.iter().flat_map(|file| &file.items).for_each(|item| counting.visit_item(item));
    counting
}

/// Types that several files of these crates call the same, with those files.
pub fn names_used_twice(crates: &[Crate]) -> BTreeMap<String, BTreeSet<&str>> {
    let mut files = BTreeMap::<String, BTreeSet<&str>>::new();
    for file in crates.iter().flat_map(|of| &of.files) {
        for item in &file.items {
            let name = match item {
                Item::Enum(item) => &item.ident,
                Item::Struct(item) => &item.ident,
                Item::Trait(item) => &item.ident,
                _ => continue,
            };
            files.entry(name.to_string()).or_default().insert(&file.path);
        }
    }
    files.retain(|name, files| files.len() > 1 && !GIVEN.contains(&name.as_str()));
    files
}

/// The tables of each crate, as their entities say.
pub fn tables(crates: &[Crate]) -> BTreeMap<String, &'static str> {
    let mut tables = BTreeMap::new();
    for of in crates {
        for item in of.files.iter().flat_map(|file| &file.items) {
            let Item::Struct(item) = item else { continue };
            for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("sea_orm")) {
                // Not all that may stand in it is told; the name of the table is.
                let _ = attribute.parse_nested_meta(|meta| {
                    if meta.path.is_ident("table_name") {
                        tables.insert(meta.value()?.parse::<syn::LitStr>()?.value(), of.name);
                    }
                    Ok(())
                });
            }
        }
    }
    tables
}

/// Texts of a crate that name tables of another one.
pub fn foreign(of: &Crate, tables: &BTreeMap<String, &str>) -> usize {
    let mut counting = Foreign { of: of.name, tables, found: 0 };
    of.files.iter().flat_map(|file| &file.items).for_each(|item| counting.visit_item(item));
    counting.found
}

struct Foreign<'a> {
    of: &'a str,
    tables: &'a BTreeMap<String, &'a str>,
    found: usize,
}

impl<'ast> Visit<'ast> for Foreign<'_> {
    fn visit_lit(&mut self, lit: &'ast Lit) {
        let Lit::Str(text) = lit else { return };
        let text = text.value();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let mut is_before = false;
        self.found += usize::from(words.any(|word| {
            let named = is_before && self.tables.get(word).is_some_and(|owner| *owner != self.of);
            is_before = ["FROM", "JOIN", "INTO", "UPDATE"].contains(&word);
            named
        }));
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let arguments = called.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        arguments.iter().flatten().for_each(|argument| self.visit_expr(argument));
    }
}

/// Names that a library wants a type to have.
const GIVEN: [&str; 6] = ["Model", "ActiveModel", "Entity", "Column", "Relation", "Migration"];

/// A word of it that stands in no sentence.
fn is_sql(text: &str) -> bool {
    let words =
        ["SELECT ", "INSERT INTO ", "DELETE FROM ", " WHERE ", " IN (", "EXISTS (", "ORDER BY", " JOIN ", " SET "];
    words.iter().any(|word| text.contains(word)) || text.starts_with("AND ") || text.starts_with("UPDATE ")
}

impl<'ast> Visit<'ast> for Counts {
    fn visit_lit(&mut self, lit: &'ast Lit) {
        if let Lit::Str(text) = lit {
            let text = text.value();
            self.sql += usize::from(is_sql(&text));
            self.states +=
                text.matches("workflow_status IN (").count() + text.matches("workflow_status NOT IN (").count();
        }
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let arguments = called.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        let Ok(arguments) = arguments else { return };
        arguments.iter().for_each(|argument| self.visit_expr(argument));
        let formats =
            called.path.segments.last().is_some_and(|name| ["format", "write"].contains(&&*name.ident.to_string()));
        let is_spliced = |argument: &Expr| matches!(argument, Expr::Lit(lit) if matches!(&lit.lit, Lit::Str(text) if is_sql(&text.value()) && text.value().contains('{')));
        self.spliced += usize::from(formats && arguments.iter().take(2).any(is_spliced));
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let exchanged = call.args.iter().any(|argument| {
            matches!(argument, Expr::Lit(lit) if matches!(&lit.lit, Lit::Str(text) if text.value().starts_with('{') || is_sql(&text.value())))
        });
        self.spliced += usize::from(exchanged && (call.method == "replace" || call.method == "replacen"));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_item_impl(&mut self, of: &'ast ItemImpl) {
        if let (Type::Path(of_type), None) = (&*of.self_ty, &of.trait_)
            && let Some(name) = of_type.path.segments.last()
        {
            let is_public =
                |item: &&ImplItem| matches!(item, ImplItem::Fn(method) if matches!(method.vis, Visibility::Public(_)));
            *self.methods.entry(name.ident.to_string()).or_default() += of.items.iter().filter(is_public).count();
        }
        visit::visit_item_impl(self, of);
    }

    fn visit_fn_arg(&mut self, argument: &'ast FnArg) {
        if let FnArg::Typed(argument) = argument {
            self.ids += usize::from(is_bare_id(&argument.ty));
        }
        visit::visit_fn_arg(self, argument);
    }
}

/// Also one that may be missing, or is lent.
fn is_bare_id(of: &Type) -> bool {
    match of {
        Type::Reference(lent) => is_bare_id(&lent.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| match &last.arguments {
            syn::PathArguments::AngleBracketed(within) if last.ident == "Option" => {
                within.args.iter().any(|of| matches!(of, syn::GenericArgument::Type(of) if is_bare_id(of)))
            }
            _ => last.ident == "Uuid",
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::read::File, *};

    fn counted(text: &str) -> [usize; 4] {
        let file = File::parse(String::new(), Vec::new(), text).unwrap();
        let counts = counts(&Crate { name: "house", files: vec![file] });
        [counts.sql, counts.spliced, counts.states, counts.ids]
    }

    #[test]
    fn a_text_that_names_a_table_of_another_crate_is_counted_once() {
        let of = |name, text| Crate { name, files: vec![File::parse(String::new(), Vec::new(), text).unwrap()] };
        let owner =
            of("queue", r#"#[sea_orm(table_name = "task")] struct Model; const A: &str = "SELECT 1 FROM task";"#);
        let other = of(
            "caseload",
            r#"const A: &str = "SELECT task FROM a JOIN task ON (SELECT 1 FROM task)"; const B: &str = "a task";"#,
        );
        let crates = [owner, other];
        let tables = tables(&crates);
        assert_eq!(crates.map(|of| foreign(&of, &tables)), [0, 1]);
    }

    #[test]
    fn sql_is_counted_wherever_it_stands_and_as_spliced_where_something_is_put_into_it() {
        assert_eq!(counted(r#"const A: &str = "SELECT 1"; const B: &str = "chosen";"#), [1, 0, 0, 0]);
        assert_eq!(counted(r#"fn f() { format!("SELECT {a}"); format!("{a} people"); }"#), [1, 1, 0, 0]);
        assert_eq!(counted(r#"fn f() { A.replace("{now}", "b"); a.replace("b", "c"); }"#), [0, 1, 0, 0]);
        assert_eq!(counted(r#"const A: &str = "x WHERE workflow_status IN ('QUEUED')";"#), [1, 0, 1, 0]);
    }

    #[test]
    fn an_id_counts_unless_its_type_says_of_what() {
        assert_eq!(counted("fn f(a: Uuid, b: &Uuid, c: Option<Uuid>, d: TaskId) {}")[3], 3);
    }

    #[test]
    fn methods_are_counted_of_a_type_wherever_they_stand() {
        let text = "impl A { pub fn b(&self) {} fn c() {} } impl A { pub fn d() {} } impl E for A { fn f() {} } impl G { pub fn h() {} }";
        let file = File::parse(String::new(), Vec::new(), text).unwrap();
        assert_eq!(counts(&Crate { name: "house", files: vec![file] }).methods(), 2);
    }

    #[test]
    fn a_name_is_used_twice_if_two_files_give_it_to_a_type() {
        let file = |path: &str| File::parse(path.to_owned(), Vec::new(), "struct Told; struct Model;").unwrap();
        let crates = [Crate { name: "house", files: vec![file("a.rs"), file("b.rs")] }];
        assert_eq!(names_used_twice(&crates), BTreeMap::from([("Told".to_owned(), BTreeSet::from(["a.rs", "b.rs"]))]));
    }
}
