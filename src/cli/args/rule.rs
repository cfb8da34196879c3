//! The options that say which positions of which games count.

use anyhow::{Result, anyhow, ensure};
use clap::ValueEnum;

use super::choice::by_name;
use drawish::pgn::{Input, Pattern, VariantChoice};
use drawish::sample::{DateError, Dedupe, FilterError, Filters, Rule, Sampling, TerminationFilter, check_date};

/// What counts, for the verbs that read games.
#[derive(clap::Args)]
pub(in crate::cli) struct RuleArgs {
    /// Which positions of a game count [default: at; of files of positions without games: positions]
    #[arg(long, value_enum, help_heading = "What counts")]
    sample: Option<SampleArg>,
    /// With --sample at: the FEN move number of the position, White to move [default: 50]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "MOVE", help_heading = "What counts")]
    at: Option<u32>,
    /// With the other ways to sample: positions count from this FEN move number on [default: 20]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "MOVE", help_heading = "What counts")]
    from: Option<u32>,
    /// Shortest game that counts, by the number of its last move [default: 60; with --sample positions: 0]
    #[arg(long, value_name = "MOVES", help_heading = "What counts")]
    min_moves: Option<u32>,
    /// Shortest game that counts, in half-moves [default: 0]
    #[arg(long, value_name = "PLIES", help_heading = "What counts")]
    min_plies: Option<u32>,
    /// Which variants of chess count; chess960 and any take every start position [default: standard]
    #[arg(long, value_parser = by_name(&VariantChoice::ALL, VariantChoice::name), help_heading = "What counts")]
    variant: Option<VariantChoice>,
    /// Also count games of standard chess that start from a FEN; moves are numbered from the FEN's
    #[arg(long, help_heading = "What counts")]
    fen_starts: bool,
    /// Count games that come again only once; needs about 20 bytes of memory for each counted game, 40 with =lines
    ///
    /// Without a value those with the same start and moves. With =lines those, too, that are the same up to the position of --at and for at
    /// least 60 half-moves, or with other ways to sample for 60 half-moves, however they go on: games that were cut, copies with a wrong last
    /// move, and many games from one long opening, which say less of a structure than as many others.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "games", value_parser = by_name(&[Dedupe::Games, Dedupe::Lines], Dedupe::name), help_heading = "What counts")]
    dedupe: Option<Dedupe>,

    /// Lowest rating of either player
    #[arg(long, value_name = "ELO", help_heading = "Filters on tags")]
    min_elo: Option<u32>,
    /// Highest rating of either player
    #[arg(long, value_name = "ELO", help_heading = "Filters on tags")]
    max_elo: Option<u32>,
    /// Largest difference of the ratings
    #[arg(long, value_name = "ELO", help_heading = "Filters on tags")]
    max_elo_diff: Option<u32>,
    /// White's or Black's name matches this regular expression, or is the text itself; parentheses between blanks are letters
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name, help_heading = "Filters on tags")]
    player: Option<Pattern>,
    /// White's name matches
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name, help_heading = "Filters on tags")]
    white: Option<Pattern>,
    /// Black's name matches
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name, help_heading = "Filters on tags")]
    black: Option<Pattern>,
    /// The event matches
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name, help_heading = "Filters on tags")]
    event: Option<Pattern>,
    /// The time control of both players matches: the TimeControl tag, or WhiteTimeControl and BlackTimeControl if they are the same; 180, 60+0,
    /// 40/60 and the like mean exactly this
    #[arg(long, value_name = "REGEX", value_parser = Pattern::time_control, help_heading = "Filters on tags")]
    time_control: Option<Pattern>,
    /// First date: YYYY, YYYY.MM or YYYY.MM.DD
    #[arg(long, value_parser = parse_date, value_name = "DATE", help_heading = "Filters on tags")]
    date_from: Option<String>,
    /// Last date: YYYY, YYYY.MM or YYYY.MM.DD, to the end of that year or month
    #[arg(long, value_parser = parse_date, value_name = "DATE", help_heading = "Filters on tags")]
    date_to: Option<String>,
    /// How games ended: regular, any, or a regular expression on the Termination tag [default: regular]
    ///
    /// regular leaves out games that were lost on time, abandoned, interrupted or against the rules: time forfeit, timeout, abandoned,
    /// stalled connection, unterminated, illegal move, rules infraction, death, emergency, crash, disconnects, and what Lucas Chess writes of them in any
    /// language and chess.com in English. So does the last comment of a game that was lost on time, by a lost connection or by a fault (FICS, ICC, XBoard,
    /// Scid vs. PC, Arena, old cutechess and fast-chess), which stands for the tag where there is none. Other words, such as those of chess.com in other languages, count as regular.
    #[arg(long, value_name = "WHICH", help_heading = "Filters on tags")]
    termination: Option<TerminationFilter>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SampleArg {
    /// The position at one move number
    At,
    /// One position, drawn by a hash of the game's own moves
    OneRandomPly,
    /// Every position before a move
    Every,
    /// Every position, from the first move on: the only choice for files of positions without games
    Positions,
}

impl RuleArgs {
    /// The rule that these options make for these inputs; `replay` by the full rules of chess instead of the tracker.
    ///
    /// # Errors
    ///
    /// If options contradict each other, so that no game could count, or one has no effect, or cannot be applied to training
    /// data, which have no tags, or to positions without games.
    pub fn rule(&self, replay: bool, inputs: &[Input]) -> Result<Rule> {
        let of = |has_games: bool| {
            inputs.iter().find(|input| input.format().is_some_and(|format| format.has_games() == has_games))
        };
        if let Some(input) = of(true).or(of(false)) {
            refuse(&self.about_tags(), input, "training data have no tags")?;
        }
        let Some(loose) = of(false) else { return self.rule_of_games(replay) };
        let about_games = [
            ("--min-moves", self.min_moves.is_some()),
            ("--min-plies", self.min_plies.is_some()),
            ("--variant", self.variant.is_some()),
            ("--dedupe", self.dedupe.is_some()),
            ("--at", self.at.is_some()),
            ("--from", self.from.is_some()),
            ("--sample", self.sample.is_some_and(|sample| !matches!(sample, SampleArg::Positions))),
        ];
        refuse(&about_games, loose, WITHOUT_GAMES)?;
        ensure!(
            self.sample.is_some() || inputs.iter().all(Input::is_of_positions),
            "{loose} holds positions without games, other inputs hold games: --sample positions counts every position of all; \
             or count them in two runs"
        );
        Ok(Rule { replay, ..Rule::of_positions() })
    }

    /// Options that ask for tags, and whether they are given.
    fn about_tags(&self) -> [(&'static str, bool); 11] {
        [
            ("--min-elo", self.min_elo.is_some()),
            ("--max-elo", self.max_elo.is_some()),
            ("--max-elo-diff", self.max_elo_diff.is_some()),
            ("--player", self.player.is_some()),
            ("--white", self.white.is_some()),
            ("--black", self.black.is_some()),
            ("--event", self.event.is_some()),
            ("--time-control", self.time_control.is_some()),
            ("--date-from", self.date_from.is_some()),
            ("--date-to", self.date_to.is_some()),
            ("--termination", self.termination.as_ref().is_some_and(|which| *which != TerminationFilter::Any)),
        ]
    }

    fn rule_of_games(&self, replay: bool) -> Result<Rule> {
        let sample = self.sample.unwrap_or(SampleArg::At);
        let with_at = matches!(sample, SampleArg::At);
        ensure!(
            with_at || self.at.is_none(),
            "--at is the move of --sample at; with the other ways to sample it is --from"
        );
        ensure!(
            matches!(sample, SampleArg::OneRandomPly | SampleArg::Every) || self.from.is_none(),
            "--from goes with --sample every or one-random-ply; with --sample at it is --at"
        );
        let filters = Filters {
            min_elo: self.min_elo,
            max_elo: self.max_elo,
            max_elo_difference: self.max_elo_diff,
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            date_from: self.date_from.clone(),
            date_to: self.date_to.clone(),
            time_control: self.time_control.clone(),
            termination: self.termination.clone().unwrap_or_default(),
            min_plies: self.min_plies.unwrap_or(0),
        };
        filters.check().map_err(|error| {
            let options = match error {
                FilterError::Ratings { .. } => "--min-elo and --max-elo",
                FilterError::Dates { .. } => "--date-from and --date-to",
            };
            anyhow!("{options}: {error}")
        })?;
        let from = self.from.unwrap_or(20);
        let variant = self.variant.unwrap_or(VariantChoice::Standard);
        let rule = Rule {
            sampling: match sample {
                SampleArg::At => Sampling::At { at: self.at.unwrap_or(50) },
                SampleArg::OneRandomPly => Sampling::OneRandomPly { from },
                SampleArg::Every => Sampling::Every { from },
                SampleArg::Positions => Sampling::Positions,
            },
            min_moves: self.min_moves.unwrap_or(if matches!(sample, SampleArg::Positions) { 0 } else { 60 }),
            variant,
            fen_starts: self.fen_starts,
            dedupe: self.dedupe.unwrap_or_default(),
            replay,
            filters,
        };
        // Two spellings of one rule give the same bytes.
        Ok(rule.canonical())
    }
}

/// Why what is asked of games cannot be asked of a file of positions.
pub(in crate::cli) const WITHOUT_GAMES: &str =
    "it holds positions without games or move numbers, and each of them counts";

/// Makes sure that none of these options is given: they would have no effect on this input.
pub(in crate::cli) fn refuse(options: &[(&str, bool)], input: &Input, why: &str) -> Result<()> {
    let given: Vec<_> = options.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    ensure!(given.is_empty(), "{} cannot be applied to {input}: {why}", given.join(", "));
    Ok(())
}

fn parse_date(text: &str) -> Result<String, DateError> {
    check_date(text).map(|()| text.to_owned())
}
