//! What verbs on row files share: reading them, and what to say about rows that folds and fits stumble over.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use drawish::fit::Data;
use drawish::frames::{RowsError, RowsReader, Wanted};
use drawish::heads::Spec;
use drawish::rows::Rows;
use drawish_core::Wdl;

/// Whether a file is Parquet, by its first bytes.
pub(super) fn is_rows(path: &Path) -> bool {
    use std::io::Read;

    let mut magic = [0; 4];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *b"PAR1"
}

/// Opens row files. The same games in two of them would count twice, so that is refused.
pub(super) fn open(paths: &[PathBuf]) -> Result<Vec<(PathBuf, RowsReader)>> {
    let mut files: Vec<(PathBuf, RowsReader)> = Vec::new();
    for path in paths {
        let reader = RowsReader::open(path).with_context(|| named(path))?;
        // An input that could not be opened has neither games nor a digest.
        for input in reader.provenance().inputs.iter().filter(|input| input.games > 0) {
            let has_it = |(_, other): &&(PathBuf, RowsReader)| {
                other.provenance().inputs.iter().any(|other| other.xxh3_128 == input.xxh3_128)
            };
            if let Some((other, _)) = files.iter().find(has_it) {
                bail!(
                    "{} and {} both hold the games of {}, which would count twice; name one of them",
                    other.display(),
                    path.display(),
                    input.name
                );
            }
        }
        files.push((path.clone(), reader));
    }
    Ok(files)
}

fn named(path: &Path) -> String {
    path.display().to_string()
}

/// Reads what a model needs of all files.
pub(super) fn load(files: &[(PathBuf, RowsReader)], spec: &Spec) -> Result<Data> {
    load_some(files, spec, |rows| vec![true; rows.len()])
}

/// The same with one row of each game: what takes rows for independent needs it.
pub(super) fn load_one_a_game(files: &[(PathBuf, RowsReader)], spec: &Spec) -> Result<Data> {
    load_some(files, spec, |rows| {
        let mut keep = vec![false; rows.len()];
        let mut first = 0;
        for game in rows.games.chunk_by(|one, other| one == other) {
            keep[first + (game[0] % game.len() as u64) as usize] = true;
            first += game.len();
        }
        keep
    })
}

fn load_some(files: &[(PathBuf, RowsReader)], spec: &Spec, some: impl Fn(&Rows) -> Vec<bool>) -> Result<Data> {
    let mut data = Data::default();
    let wanted = Wanted { features: spec.features(), cells: vec![drawish_core::Scheme::BgSym] };
    for (path, reader) in files {
        let take = |mut rows: Rows| {
            name_events(&mut rows);
            let keep = some(&rows);
            data.extend(&rows, spec, Some(drawish_core::Scheme::BgSym), |_, row| keep[row]);
            Ok::<_, RowsError>(())
        };
        reader.read(&wanted, take).with_context(|| named(path))?;
    }
    Ok(data)
}

/// Reads all rows with these columns.
pub(super) fn load_rows(files: &[(PathBuf, RowsReader)], wanted: &Wanted) -> Result<Rows> {
    let mut all = Rows::new();
    for (path, reader) in files {
        let take = |mut rows: Rows| {
            name_events(&mut rows);
            all.append(&mut rows);
            Ok::<_, RowsError>(())
        };
        reader.read(wanted, take).with_context(|| named(path))?;
    }
    Ok(all)
}

/// Games that name neither an event nor the players are told apart by their opening.
fn name_events(rows: &mut Rows) {
    for (event, skeleton) in rows.events.iter_mut().zip(&rows.skeletons) {
        if event.is_empty() {
            *event = format!("{NAMELESS}{skeleton:016x}").into();
        }
    }
}

const NAMELESS: &str = "opening ";

/// Makes sure that there is something to learn.
pub(super) fn check(results: Wdl) -> Result<()> {
    let Wdl { wins: white, draws, losses: black } = results;
    let all = results.total();
    ensure!(all > 0, "there are no rows; loosen the rule of `drawish positions`, as in --min-moves 0");
    if draws == 0 || draws == all {
        let what = if draws == 0 { "none of the games was drawn" } else { "all games were drawn" };
        bail!("{what}: there is nothing to learn about draws from {all} rows");
    }
    ensure!(
        white > 0 && black > 0,
        "no game was won by {}: there is nothing to learn about winning; take more games",
        if white == 0 { "White" } else { "Black" }
    );
    Ok(())
}

/// What a user should know of rows before trusting a fit to them.
pub(super) fn remarks(rows: usize, events: usize, nameless: usize, weights: usize) -> Vec<String> {
    let mut remarks = Vec::new();
    if nameless > 0 {
        remarks.push(format!(
            "{nameless} rows name neither an event nor both players; their opening stands for the event"
        ));
    }
    if events < 2 {
        remarks.push("all rows are of one event: no standard errors, and folds by opening only".to_owned());
    }
    if rows < 10 * weights {
        remarks.push(format!("{rows} rows for {weights} weights: what they leave open, the priors decide"));
    }
    remarks
}

/// Rows without an event of their own.
pub(super) fn nameless(rows: &Rows) -> usize {
    rows.events.iter().filter(|event| event.starts_with(NAMELESS)).count()
}
