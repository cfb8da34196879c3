//! `drawish man`: manual pages.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::builder::Resettable;
use clap::{Arg, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::{Cli, done, output};
use drawish::report::text::manual::{Sections, laid_out, where_to_read};

/// Write a manual page for every verb
#[derive(clap::Args)]
#[command(override_usage = "drawish man <DIRECTORY>", after_help = "Example:\n  drawish man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// Directory for drawish.1, drawish-collect.1 and the rest; made if it is not there
    #[arg(required_unless_present = "output")]
    directory: Option<PathBuf>,
    /// The same directory, as an option like that of other verbs
    #[arg(short, long, value_name = "DIRECTORY", conflicts_with = "directory")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let directory = &args.directory.or(args.output).unwrap_or_default();
    fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be created; choose another directory", directory.display()))?;
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let pages = pages(&program);
    write(&program, &pages, directory)
        .with_context(|| format!("{} cannot be written to; check the permissions", directory.display()))?;
    output::print(where_to_read(directory, pages.len()))?;
    done()
}

/// What pages are called: `drawish-wdl-fit` for `drawish wdl fit`.
fn pages(command: &Command) -> Vec<String> {
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    verbs.flat_map(pages).chain([name(command)]).collect()
}

fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

/// Writes the page of a command and those of all below it.
fn write(command: &Command, pages: &[String], directory: &Path) -> io::Result<()> {
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        write(verb, pages, directory)?;
    }
    let mut page = Vec::new();
    // What stands behind the options of a help has sections of its own in a manual.
    let plain = command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset);
    let man = Man::new(plain.override_usage(synopsis(command))).manual("drawish");
    let man = man.source(concat!("drawish ", env!("CARGO_PKG_VERSION")));
    man.render(&mut page)?;
    page.extend(sections(command, pages).to_roff().into_bytes());
    fs::write(directory.join(man.get_filename()), laid_out(&String::from_utf8_lossy(&page)))
}

/// The command with all that it takes: options with their values, those that must be given without brackets, files last.
fn synopsis(command: &Command) -> String {
    let shown = |arg: &Arg| match arg.to_string().replace(' ', "\u{a0}") {
        text if arg.is_required_set() || arg.is_positional() => text,
        text => format!("[{text}]"),
    };
    let mut taken: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_hide_set()).collect();
    taken.sort_by_key(|arg| (arg.is_positional(), !arg.is_positional() && arg.is_required_set()));
    let below = if command.is_subcommand_required_set() { "<COMMAND>" } else { "[COMMAND]" };
    let below = command.has_subcommands().then(|| below.to_owned());
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    [name].into_iter().chain(taken.into_iter().map(shown)).chain(below).collect::<Vec<_>>().join(" ")
}

/// What a page has behind the options.
fn sections(command: &Command, pages: &[String]) -> Roff {
    let after = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
    let Sections { notes, status, examples } = Sections::of(&after.unwrap_or_default());
    let mut roff = Roff::new();
    for (title, texts) in [("NOTES", notes), ("EXIT STATUS", status)] {
        for (at, text) in texts.into_iter().enumerate() {
            let (request, words) = if at == 0 { ("SH", vec![title]) } else { ("PP", Vec::new()) };
            roff.control(request, words);
            roff.text([roman(text)]);
        }
    }
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in &examples {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    let others = see_also(command, pages);
    if let Some(last) = others.last() {
        roff.control("SH", ["SEE ALSO"]);
        let named = |page: &String| [bold(page), roman(if page == last { "(1)" } else { "(1), " })];
        roff.text(others.iter().flat_map(named).collect::<Vec<_>>());
    }
    roff
}

/// The page above, those below, and those of the commands that the help names.
fn see_also(command: &Command, pages: &[String]) -> BTreeSet<String> {
    let own = name(command);
    let mut help = command.clone().render_long_help().to_string();
    // Lines are broken anywhere.
    help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_named = |words: &str| {
        let mut behind = help.match_indices(words).map(|(at, _)| help[at + words.len()..].chars().next());
        behind.any(|next| next.is_none_or(|next| !next.is_alphanumeric() && next != '-'))
    };
    let named: Vec<&String> = pages.iter().filter(|page| is_named(&page.replace('-', " "))).collect();
    // Of `drawish wdl fit` not `drawish wdl`, which it begins with.
    let is_longest = |page: &&&String| !named.iter().any(|other| other.starts_with(&format!("{page}-")));
    let longest = named.iter().filter(is_longest).map(|&page| page.clone());
    let above = own.rsplit_once('-').map(|(above, _)| above.to_owned());
    let mut others: BTreeSet<String> = longest.chain(above).chain(command.get_subcommands().map(name)).collect();
    others.remove(&own);
    others
}
