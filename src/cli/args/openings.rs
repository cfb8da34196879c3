//! `--openings`: where games begin, as a file or in the words of match runners.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use shakmaty::CastlingMode;

use super::choice::{Choice, choice};
use crate::cli::output;
use drawish::arena::{BookRule, Order};
use drawish::contest::{OpeningWords, Openings, Terms};
use drawish::pgn::Input;

const ORDERS: [Choice<Order>; 2] = [
    (&["random"], "By the seed and the openings alone", Order::Random),
    (&["sequential"], "As the book has them", Order::Sequential),
];

/// How kings and rooks castle; as the openings need it if `None`.
#[derive(Clone, Copy)]
struct Variant(Option<CastlingMode>);

const VARIANTS: [Choice<Variant>; 3] = [
    (&["auto"], "Chess960 for all games if any opening of the book is", Variant(None)),
    (&["standard"], "Openings of Chess960 are left out", Variant(Some(CastlingMode::Standard))),
    (&["chess960", "fischerandom"], "", Variant(Some(CastlingMode::Chess960))),
];

/// Where games begin.
#[derive(clap::Args)]
pub(in crate::cli) struct OpeningArgs {
    /// Openings: EPD, FEN or PGN, plain or compressed; - for standard input; or random:PLIES for random moves after which neither
    /// side is much better. Also in the words of match runners: file=FILE [order=] [start=] [plies=]
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    openings: Vec<OsString>,
    /// Half-moves to take from each game of a PGN book, with --conversion at least so many [default: all, or with --conversion up to
    /// the first evaluation between]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Order in which openings are played [default: random]
    #[arg(long, value_name = "NAME", value_parser = choice(&ORDERS))]
    order: Option<Order>,
    /// First opening to play, from 1; those before it come after all others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    start: Option<u64>,
    /// Play only openings in which one side is better by LOW to HIGH centipawns (ce in EPD, comments in PGN); `drawish match`
    /// reports how often each engine wins or holds them
    #[arg(long, value_name = "LOW..HIGH")]
    conversion: Option<String>,
    /// Standard chess or Chess960
    #[arg(long, default_value = "auto", value_parser = choice(&VARIANTS), value_name = "NAME")]
    variant: Variant,
    /// Seed for the opening order [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl OpeningArgs {
    /// The file of openings.
    pub(in crate::cli) fn file(&self) -> Result<PathBuf> {
        self.words()?.file.context("--openings names no file: expected --openings book.epd, or file=book.epd")
    }

    /// The terms of play, of which only the openings are set.
    pub(in crate::cli) fn terms(&self) -> Result<Terms> {
        let words = self.words()?;
        let mut terms = Terms::new(self.openings(&words)?);
        terms.seed = self.seed;
        terms.order = self.order.or(words.order).unwrap_or_default();
        terms.passed_over = self.start.or(words.start).unwrap_or(1) - 1;
        Ok(terms)
    }

    fn words(&self) -> Result<OpeningWords> {
        let mut words = OpeningWords::default();
        for word in &self.openings {
            // Whatever has no key is the name of the file.
            let named = word.to_str().and_then(|word| word.split_once('='));
            let named = named.filter(|(key, _)| OpeningWords::KEYS.contains(key));
            let set = match named {
                Some((key, value)) => words.set(key, value).map_err(|error| error.to_string()),
                None if words.file.is_none() => {
                    words.file = Some(PathBuf::from(word));
                    Ok(())
                }
                None => Err(format!("{}: expected one file", word.display())),
            };
            set.map_err(|error| anyhow!("--openings {error}"))?;
        }
        Ok(words)
    }

    fn openings(&self, words: &OpeningWords) -> Result<Openings> {
        let file = self.file()?;
        let band = self.conversion.as_deref().map(band).transpose()?;
        let rule = BookRule { plies: self.plies.or(words.plies), castling: self.variant.0, band };
        if output::is_standard(&file) {
            return Ok(Openings::File { input: Input::Stdin, rule });
        }
        Openings::named(file, rule).map_err(|error| anyhow!("--openings {error}"))
    }
}

/// `60..250`.
fn band(text: &str) -> Result<RangeInclusive<i32>> {
    let ends = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match ends {
        Some((low, high)) if 0 < low && low <= high => Ok(low..=high),
        _ => bail!("--conversion {text}: expected centipawns above 0 from the least to the most, as in 60..250"),
    }
}
