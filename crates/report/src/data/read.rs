//! Reading an input: what it is, by its content, and what is found in it.

use std::io;
use std::path::Path;

use drawish_artefact::{Kind, read_bounded, read_bounded_to};
use drawish_core::{DrawTable, Scheme};
use serde::Serialize;
use serde_json::Value;

use super::input::{InputFile, ReadError};
use super::matches::Wanted;
use super::{HeadsData, MatchData, ReportData, Structures, WdlData};
use crate::text::counts::dependence;
use crate::text::table::is_narrow;
use drawish_games::counts::CountsFile;
use drawish_games::export::{DEPENDENT, check_consistency, warnings_of};
use drawish_games::fit::wdl_head::ComparedWdl;
use drawish_games::pgn::Input;
use drawish_games::sample::is_of_positions;
use drawish_games::smooth::Estimator;
use drawish_games::wdl::{Model, ModelError};
use drawish_heads::heads::HeadsFile;
use drawish_match::arena::{Logged, Setup, Side, repeats_text};
use drawish_match::spsa::SpsaLogged;
use drawish_match::tournament::LoggedTournament;
use drawish_stats::numbers::counted;

/// Results that are shown for one scheme only.
const SCHEME: Scheme = Scheme::Bg;

/// All structures of so many inputs are shown, each about 0.17 MB: with more a page would be larger than 2 MB.
const MOST_STRUCTURES: usize = 6;

/// What is said of games.
const GAMES: ReadError = ReadError::Step {
    what: "games",
    remedy: "count them by `drawish collect FILE -o games.counts` and give the counts",
};

impl ReportData {
    pub(super) fn read_one(
        &mut self,
        path: &Path,
        name: &str,
        estimator: Estimator,
        wanted: Wanted,
    ) -> Result<Option<InputFile>, ReadError> {
        #[cfg(feature = "frames")]
        if super::rows::is_rows(path) {
            return self.rows(path, name);
        }
        // Games are refused however many there are.
        if Kind::of_file(path)? == Some(Kind::Pgn) {
            return Err(GAMES);
        }
        let bytes = read_bounded(path)?;
        self.take(path, name, &bytes, estimator, wanted).map(Some)
    }

    fn take(
        &mut self,
        path: &Path,
        name: &str,
        bytes: &[u8],
        estimator: Estimator,
        wanted: Wanted,
    ) -> Result<InputFile, ReadError> {
        let mut input = InputFile::new(name, bytes);
        match Kind::of(bytes) {
            None if bytes.is_empty() => return Err(ReadError::Empty),
            Some(Kind::Counts) => self.counts(&mut input, bytes, estimator)?,
            Some(Kind::Table) => self.table(&mut input, bytes)?,
            Some(Kind::WdlCounts) => {
                return Err(ReadError::Step {
                    what: "WDL counts",
                    remedy: "fit a model to them by `drawish wdl fit` and give that",
                });
            }
            Some(Kind::EngineHeads) => self.engine_heads(&mut input, bytes)?,
            Some(Kind::Rows) => {
                return Err(ReadError::Step {
                    what: "rows",
                    remedy: "this build has no data frames: build drawish with the feature `frames`",
                });
            }
            Some(kind @ (Kind::TableCode | Kind::WdlModelCode | Kind::HeadsCode)) => {
                return Err(ReadError::Elsewhere(kind.uses()));
            }
            _ => {
                let mut text = Vec::new();
                let open = Input::File(path.to_owned()).open().map_err(|error| match error.kind() {
                    io::ErrorKind::Unsupported => ReadError::Unknown,
                    _ => ReadError::Io(error),
                })?;
                // A packed log that is still being written has no end: what stands in it so far is used.
                match read_bounded_to(open, None, &mut text) {
                    Err(_) if Kind::of(&text) == Some(Kind::Pgn) => return Err(GAMES),
                    Err(error) if text.is_empty() || error.kind() == io::ErrorKind::FileTooLarge => {
                        return Err(error.into());
                    }
                    Err(_) => self.remark(name, "the compressed file is truncated; what can be decompressed is shown"),
                    Ok(_) => {}
                }
                self.text(&mut input, &text, wanted)?;
            }
        }
        Ok(input)
    }

    fn text(&mut self, input: &mut InputFile, text: &[u8], wanted: Wanted) -> Result<(), ReadError> {
        let damaged = |error: serde_json::Error| {
            ReadError::Json(format!("JSON that breaks off or is damaged ({error}); make the file again"))
        };
        match Kind::of(text) {
            Some(Kind::Pgn) => Err(GAMES),
            Some(Kind::Provenance) => Err(ReadError::Step {
                what: "lines of provenance",
                remedy: "give the table or the counts that they belong to",
            }),
            Some(kind @ (Kind::Heads | Kind::WdlHead)) => {
                let text = std::str::from_utf8(text).map_err(|_| ReadError::Unknown)?;
                if kind == Kind::Heads { self.heads(input, text) } else { self.wdl_head(input, text) }
            }
            Some(Kind::MatchLog) => self.log(input, &Logged::read(text)?, wanted),
            Some(Kind::TuningLog) => {
                self.tuning(input, SpsaLogged::read(text)?);
                Ok(())
            }
            Some(Kind::TournamentLog) => {
                self.tournament(input, LoggedTournament::read(text)?);
                Ok(())
            }
            Some(Kind::WdlModel) => self.wdl(input, serde_json::from_slice(text).map_err(damaged)?),
            Some(Kind::WdlComparison) => self.wdl_heads(input, serde_json::from_slice(text).map_err(damaged)?),
            Some(Kind::Evaluation) => self.evaluation(input, serde_json::from_slice(text).map_err(damaged)?),
            Some(kind) => Err(ReadError::Elsewhere(kind.uses())),
            // JSON that is none of these may be a part of one.
            _ if text.trim_ascii_start().starts_with(b"{") => {
                serde_json::from_slice::<Value>(text).map_err(damaged)?;
                Err(ReadError::Unknown)
            }
            _ if text.starts_with(b"game,skeleton,event,") => {
                Err(ReadError::Step { what: "rows as CSV", remedy: "write rows as .parquet by `drawish positions`" })
            }
            _ => Err(ReadError::Unknown),
        }
    }

    fn counts(&mut self, input: &mut InputFile, bytes: &[u8], estimator: Estimator) -> Result<(), ReadError> {
        let file = CountsFile::from_bytes(bytes)?;
        input.kind = Kind::Counts.name();
        input.made_by = file.made_by.join(", ");
        input.origin.push(format!("content with the XXH3-128 {:032x}, rule {}", file.digest(), file.rule));
        let what = if is_of_positions(&file.rule.to_string()) { "positions" } else { "games" };
        for shard in &file.shards {
            let (counted, games) = (shard.tally.counted(), shard.tally.games());
            let broken = shard.broken.as_ref().map_or(String::new(), |why| format!("; broken: {why}"));
            input.origin.push(format!(
                "{}, {counted} of {games} {what} counted, XXH3-128 {:032x}{broken}",
                shard.name, shard.digest
            ));
        }
        if file.counts.scheme() != SCHEME {
            self.other_scheme(&input.name, file.counts.scheme(), "collect with the scheme bg");
            return Ok(());
        }
        if let Some(remark) = dependence(&file) {
            self.remark(&input.name, remark);
        }
        let found = Structures::of_counts(&input.name, &file.counts, estimator)?;
        self.add_structures(found);
        Ok(())
    }

    fn table(&mut self, input: &mut InputFile, bytes: &[u8]) -> Result<(), ReadError> {
        let table = DrawTable::from_bytes(bytes)?;
        table.verify()?;
        check_consistency(&table)?;
        input.kind = Kind::Table.name();
        let estimator = Estimator::from_id(table.estimator()).map_or("unknown", Estimator::name);
        input.origin.push(format!(
            "scheme {}, estimate {estimator}, from counts whose content has the XXH3-128 {:032x}",
            table.scheme(),
            table.source_digest()
        ));
        if table.scheme() != SCHEME {
            self.other_scheme(&input.name, table.scheme(), "make one from counts of the scheme bg");
            return Ok(());
        }
        let found = Structures::of_table(&input.name, &table);
        if found.cells.iter().all(|cell| cell.games.is_none()) {
            self.remark(&input.name, "a slim table: it holds neither intervals nor numbers of games");
        } else if is_narrow(&table) {
            self.remark(&input.name, DEPENDENT);
        }
        self.add_structures(found);
        Ok(())
    }

    fn add_structures(&mut self, found: Structures) {
        if self.structures.len() < MOST_STRUCTURES {
            if let Some(remark) = found.remark {
                self.remark(&found.name, remark);
            }
            self.structures.push(found);
        } else {
            self.left_out.push(found.name.clone());
            self.remark(
                &found.name,
                format!("structures of {MOST_STRUCTURES} inputs fill a page; make another report for this one"),
            );
        }
    }

    fn other_scheme(&mut self, name: &str, scheme: Scheme, remedy: &str) {
        self.left_out.push(name.to_owned());
        self.remark(
            name,
            format!(
                "its scheme is {scheme}, {}; pictures of structures are made for {SCHEME}, so it is left out: {remedy}",
                scheme.summary()
            ),
        );
    }

    fn heads(&mut self, input: &mut InputFile, text: &str) -> Result<(), ReadError> {
        let heads = HeadsFile::from_toml(text)?;
        input.kind = Kind::Heads.name();
        input.made_by.clone_from(&heads.made_by);
        input.take_origin(&heads.rules, &heads.inputs);
        self.warnings(&input.name, &heads.warnings, &heads.rules);
        let heads = HeadsData::new(&input.name, heads);
        if let Err(why) = &heads.moves {
            self.remark(
                &input.name,
                format!("no engine can play by these heads, so it is not shown what moves change: {why}"),
            );
        }
        self.heads.push(heads);
        Ok(())
    }

    fn log(&mut self, input: &mut InputFile, logged: &Logged, wanted: Wanted) -> Result<(), ReadError> {
        let setup = &logged.setup;
        input.kind = Kind::MatchLog.name();
        originate(input, setup, &setup.sides);
        let pairs = logged.pairs.len();
        if let Some((line, what)) = &logged.damage {
            self.fault(
                &input.name,
                format!(
                    "line {line} of the log is damaged ({what}); what stands before it is shown: {}",
                    counted(pairs as u64, "pair")
                ),
            );
        }
        if logged.is_cut {
            let what = "the last line has no end: the match is still being played, or was broken off; it is left out";
            self.remark(&input.name, format!("{what}; shown: {}", counted(pairs as u64, "finished pair")));
        }
        if pairs == 0 {
            let [one, two] = setup.sides.each_ref().map(|side| &side.name);
            self.remark(
                &input.name,
                format!("no pair of games between {one} and {two} is finished, so there is nothing to say about them"),
            );
        }
        let found = MatchData::of(&input.name, logged, wanted)?;
        let repeats = repeats_text(found.tally.repeated(), found.tally.pairs_played(), "pair");
        repeats.into_iter().for_each(|what| self.remark(&input.name, what));
        let shared: Vec<_> = self.matches.iter().filter_map(|other| found.shared_with(other)).collect();
        shared.into_iter().for_each(|what| self.remark(&input.name, what));
        self.matches.push(found);
        Ok(())
    }

    fn tuning(&mut self, input: &mut InputFile, logged: SpsaLogged) {
        let SpsaLogged { played, is_cut, damage, .. } = logged;
        let setup = &played.setup.games;
        input.kind = Kind::TuningLog.name();
        // Both sides are the engine that is tuned.
        originate(input, setup, &setup.sides[..1]);
        let steps = played.path.steps();
        if let Some((line, what)) = damage {
            self.fault(
                &input.name,
                format!(
                    "line {line} of the log is damaged ({what}); what stands before it is shown: {}",
                    counted(steps, "step")
                ),
            );
        }
        if is_cut {
            let what = "the last line has no end: the run goes on, or was broken off; it is left out";
            self.remark(&input.name, format!("{what}; shown: {}", counted(steps, "finished step")));
        }
        self.tunings.push((input.name.clone(), played));
    }

    fn wdl(&mut self, input: &mut InputFile, value: Value) -> Result<(), ReadError> {
        let old = |error: ModelError| {
            ReadError::Json(format!("a WDL fit that this version does not read ({error}); fit again by this version"))
        };
        let model = Model::from_value(value).map_err(old)?;
        input.kind = Kind::WdlModel.name();
        input.made_by.clone_from(&model.made_by);
        input.origin.extend(model.inputs.iter().cloned());
        for warning in &model.warnings {
            self.remark(&input.name, warning.clone());
        }
        self.wdl.push(WdlData { name: input.name.clone(), model });
        Ok(())
    }

    fn wdl_heads(&mut self, input: &mut InputFile, value: Value) -> Result<(), ReadError> {
        let old = |error| {
            ReadError::Json(format!(
                "a comparison that this version does not read ({error}); make it again by `drawish wdl head --compare --json`"
            ))
        };
        let compared: ComparedWdl = serde_json::from_value(value).map_err(old)?;
        input.kind = Kind::WdlComparison.name();
        input.made_by.clone_from(&compared.made_by);
        input.take_origin(&compared.rules, &compared.inputs);
        self.warnings(&input.name, &compared.warnings, &compared.rules);
        self.wdl_heads.push((input.name.clone(), compared));
        Ok(())
    }

    /// Takes down what a file says before its figures are trusted.
    pub(super) fn warnings(&mut self, name: &str, warnings: &[String], rules: &[String]) {
        warnings_of(warnings.to_vec(), rules).into_iter().for_each(|warning| self.remark(name, warning));
    }
}

/// Says what was played, and by whom.
pub(super) fn originate<Sides: PartialEq + Serialize>(input: &mut InputFile, setup: &Setup<Sides>, sides: &[Side]) {
    input.origin.push(format!(
        "openings {}: {} different, XXH3-128 {}, seed {}; rules: {}",
        setup.book,
        setup.openings,
        setup.book_digest,
        setup.seed,
        setup.rules_text()
    ));
    for side in sides {
        let options: String = side.options.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        let build = side.build.as_ref().map_or(String::new(), |build| format!(", XXH3-128 {build}"));
        input.origin.push(format!("{}: {}, {}{options}{build}", side.name, side.player, side.limits_text()));
    }
}
