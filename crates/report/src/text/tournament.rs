//! A tournament: the table of its engines, the cross table, and what is to be known of both.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use drawish_match::arena::{Book, Conduct, repeats_text};
use drawish_match::tournament::{EngineResults, Standing, TournamentSetup};
use drawish_stats::numbers::{counted, fixed, grouped, percent, percent_to, signed};
use drawish_stats::{EloZero, FEWEST_DIFFERING, RatedElo, Ratings, RatingsError, Results};
use serde_json::{Value, json};

use super::columns;
use super::playing::{chess960, going_on, span};

/// What is played, with all that it takes to play it again: `rounds` at most, `workers` games at a time, after what stands already.
#[must_use]
pub fn opening_lines(
    setup: &TournamentSetup,
    book: &Book,
    rounds: u64,
    workers: NonZeroUsize,
    standing: &Standing,
) -> String {
    let games = &setup.games;
    let names: Vec<&str> = games.sides.iter().map(|side| side.name.as_str()).collect();
    let pairings = standing.meetings().len();
    let mut text = format!(
        "{}: {}\n{} in {} at most, {} at a time\nopenings {}: {} different, {} left out, \
         XXH3 {}, seed {}\n",
        capital(&setup.schedule.to_string()),
        names.join(", "),
        counted(pairings as u64, "pairing"),
        counted(rounds, "round"),
        counted(workers.get() as u64, "game"),
        games.book,
        games.openings,
        counted(book.duplicates, "duplicate"),
        games.book_digest,
        games.seed
    );
    text += &chess960(games.chess960, book);
    text + &going_on(standing.pairs(), rounds.saturating_mul(pairings as u64), "pair")
}

/// How far a tournament is: games, rounds, speed and the time left; `before` pairs were played earlier than `elapsed` ago.
#[must_use]
pub fn line(standing: &Standing, rounds: u64, before: u64, elapsed: Duration) -> String {
    let pairings = standing.meetings().len().max(1) as u64;
    let (pairs, all) = (standing.pairs(), rounds.saturating_mul(pairings));
    let speed = (pairs - before) as f64 / elapsed.as_secs_f64();
    let mut text = format!(
        "{} of {} games  round {} of {}  {:.1} games/s",
        grouped(2 * pairs),
        grouped(all.saturating_mul(2)),
        grouped(pairs.div_ceil(pairings)),
        grouped(rounds),
        2.0 * speed
    );
    if let Ok(left) = Duration::try_from_secs_f64(all.saturating_sub(pairs) as f64 / speed) {
        let _ = write!(text, "  {} left", span(left));
    }
    text
}

/// The engines from the strongest to the weakest, with Elo, points and the points of each against each.
#[must_use]
pub fn text(standing: &Standing, zero: EloZero) -> String {
    let shown = Shown::of(standing, zero);
    let mut head = ["", "engine", "Elo", "", "games", "points", "score", "drawn", "LOS"].map(str::to_owned).to_vec();
    let rows = |head: Vec<String>, rows| std::iter::once(head).chain(rows).collect::<Vec<_>>();
    let mut text = columns(&rows(head, shown.table()), &[1, 3]);
    head = vec![String::new(), "won-drawn-lost against".to_owned()];
    head.extend(shown.places());
    text += &columns(&rows(head, shown.cross_table()), &[1]);
    for note in shown.notes() {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// The same for programs.
#[must_use]
pub fn json(standing: &Standing, zero: EloZero) -> Value {
    let Shown { order, ratings: rated, why_not, .. } = Shown::of(standing, zero);
    let names = standing.names();
    let engines = order.iter().enumerate().map(|(at, &engine)| {
        let EngineResults { games, faults, overran } = standing.of_engine(engine);
        let results = standing.of_engine(engine);
        let (mut elo, mut error, mut at_least, mut at_most) = (None, None, None, None);
        match rated.as_ref().map(|ratings| ratings.elos()[engine]) {
            Some(RatedElo::Likeliest { elo: found, error: its }) => (elo, error) = (Some(found), its),
            Some(RatedElo::AtLeast(bound)) => at_least = bound,
            Some(RatedElo::AtMost(bound)) => at_most = bound,
            Some(RatedElo::Unknown) | None => {}
        }
        json!({
            "name": names[engine], "elo": elo, "elo_error": error, "at_least": at_least, "at_most": at_most,
            "games": results.count(), "points": results.points(), "wins": games.wins, "draws": games.draws,
            "losses": games.losses, "los_of_next": next_superiority(rated.as_ref(), &order, at), "faults": faults,
            "overran": overran,
        })
    });
    let meetings = standing.meetings().iter().map(|meeting| {
        let games = meeting.tally.games;
        json!({
            "engines": meeting.engines.map(|engine| &names[engine]),
            "pentanomial": Results::Pairs(meeting.tally.pairs).counts(),
            "wins": games.wins, "draws": games.draws, "losses": games.losses,
            "repeated_pairs": meeting.tally.repeated(),
        })
    });
    let zero = match zero {
        EloZero::Engine(engine) => names.get(engine).map(String::as_str),
        EloZero::Mean => None,
    };
    json!({
        "pairs": standing.pairs(), "shared_pairs": standing.shared(), "intervals_by": clusters(standing), "anchor": zero, "engines": engines.collect::<Vec<_>>(),
        "meetings": meetings.collect::<Vec<_>>(), "not_rated": why_not,
    })
}

/// The ratings, or in words why there are none, or none with this zero.
fn rated(standing: &Standing, zero: EloZero) -> (Option<Ratings>, Option<String>) {
    let name = |engine: usize| standing.names().get(engine).map_or("?", String::as_str);
    match standing.ratings(zero) {
        Ok(ratings) => (Some(ratings), None),
        Err(RatingsError::NoZero { engine }) => {
            let why =
                format!("Elo with its mean at 0: {} has only won, or only lost, and cannot be at 0.", name(engine));
            (standing.ratings(EloZero::Mean).ok(), Some(why))
        }
        Err(RatingsError::Apart { one, other }) => {
            let why = format!("No Elo yet: no chain of games leads from {} to {}.", name(one), name(other));
            (None, Some(why))
        }
        Err(error) => (None, Some(format!("No Elo: {error}."))),
    }
}

/// The engines from the strongest to the weakest: by their ratings, or by their share of points where there are none.
fn order(standing: &Standing, ratings: Option<&Ratings>) -> Vec<usize> {
    if let Some(ratings) = ratings {
        return ratings.order().to_vec();
    }
    let key = |engine: usize| share(&standing.of_engine(engine)).unwrap_or(0.5);
    let mut order: Vec<usize> = (0..standing.names().len()).collect();
    // Engines of the same share stay in their order.
    order.sort_by(|&one, &other| key(other).total_cmp(&key(one)));
    order
}

fn share(results: &EngineResults) -> Option<f64> {
    (results.count() > 0).then(|| results.points() / results.count() as f64)
}

/// The likelihood that an engine is stronger than the next one.
fn next_superiority(ratings: Option<&Ratings>, order: &[usize], at: usize) -> Option<f64> {
    ratings?.superiority(order[at], *order.get(at + 1)?)
}

/// A tournament as it is shown, in a terminal or on a page: who is how strong, in which order, and what must be said of it.
pub(crate) struct Shown<'a> {
    standing: &'a Standing,
    zero: EloZero,
    /// The engines from the strongest to the weakest.
    pub(crate) order: Vec<usize>,
    /// Elo of all engines, by their number.
    pub(crate) ratings: Option<Ratings>,
    /// Why there are none, or none with this zero.
    why_not: Option<String>,
}

impl Shown<'_> {
    pub(crate) fn of(standing: &Standing, zero: EloZero) -> Shown<'_> {
        let (ratings, why_not) = rated(standing, zero);
        let order = order(standing, ratings.as_ref());
        Shown { standing, zero, order, ratings, why_not }
    }

    /// A row for each engine: place, name, Elo, its error, games, points, share of them, share of draws, LOS of the next.
    pub(crate) fn table(&self) -> Vec<Vec<String>> {
        let ratings = self.ratings.as_ref();
        let row = |(at, &engine): (usize, &usize)| {
            let results = self.standing.of_engine(engine);
            let (elo, error) = match ratings.map(|ratings| ratings.elos()[engine]) {
                Some(RatedElo::Likeliest { elo, error }) => {
                    (signed(elo, 1), error.map_or("-".to_owned(), |error| format!("+/- {}", fixed(error, 1))))
                }
                Some(RatedElo::AtLeast(Some(bound))) => (format!(">= {}", signed(bound, 1)), String::new()),
                Some(RatedElo::AtMost(Some(bound))) => (format!("<= {}", signed(bound, 1)), String::new()),
                _ => ("-".to_owned(), String::new()),
            };
            let drawn = (results.count() > 0).then(|| results.games.draws as f64 / results.count() as f64);
            let or_dash = |figure: Option<f64>| figure.map_or("-".to_owned(), percent);
            vec![
                (at + 1).to_string(),
                self.standing.names()[engine].clone(),
                elo,
                error,
                grouped(results.count()),
                fixed(results.points(), 1),
                or_dash(share(&results)),
                or_dash(drawn),
                match next_superiority(ratings, &self.order, at) {
                    Some(los) => percent_to(los, 1),
                    // Nobody comes next.
                    None if at + 1 == self.order.len() => String::new(),
                    None => "-".to_owned(),
                },
            ]
        };
        self.order.iter().enumerate().map(row).collect()
    }

    /// The places in the table: what the columns of the cross table are called.
    pub(crate) fn places(&self) -> impl Iterator<Item = String> {
        (1..=self.order.len()).map(|place| place.to_string())
    }

    /// Won, drawn and lost games of each against each, in the order of the table: place, name, and a cell for each.
    pub(crate) fn cross_table(&self) -> Vec<Vec<String>> {
        let cell = |engine: usize, other: usize| match self.standing.between(engine, other) {
            Some(EngineResults { games, .. }) => format!("{}-{}-{}", games.wins, games.draws, games.losses),
            None => "-".to_owned(),
        };
        let row = |(at, &engine): (usize, &usize)| {
            let name = self.standing.names()[engine].clone();
            let cells = self.order.iter().map(|&other| cell(engine, other));
            [(at + 1).to_string(), name].into_iter().chain(cells).collect()
        };
        self.order.iter().enumerate().map(row).collect()
    }

    /// What Elo and LOS are, why some are absent, and which engines failed: a line for each.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.why_not.iter().cloned().collect();
        if let Some(ratings) = &self.ratings {
            notes.extend(remarks(self.standing, ratings, self.zero));
        }
        let repeated = self.standing.meetings().iter().map(|meeting| meeting.tally.repeated()).sum();
        notes.extend(repeats_text(repeated, self.standing.pairs(), "pair"));
        let (shared, all) = (self.standing.shared(), counted(self.standing.pairs(), "pair"));
        let is = if shared == 1 { "is" } else { "are" };
        notes.extend((shared > 0).then(|| {
            format!(
                "{} of {all} {is} the same games as a pair of other engines, who play alike: they add no evidence of their own",
                grouped(shared)
            )
        }));
        for &engine in &self.order {
            let found = self.standing.of_engine(engine);
            let (name, games) = (self.standing.names()[engine].clone(), found.count());
            let conduct = Conduct { name, games, faults: found.faults, overran: found.overran };
            notes.extend((found.faults > 0 || found.overran > 0).then(|| conduct.to_string()));
        }
        notes
    }
}

/// What results of the same are taken as one for intervals.
pub(crate) fn clusters(standing: &Standing) -> String {
    match standing.too_few_openings() {
        Some(1) => "rounds, for the one opening that all have played".to_owned(),
        Some(openings) => format!("rounds, for just the {openings} openings that come again"),
        None => "openings".to_owned(),
    }
}

/// What Elo and LOS are, and why some are absent.
fn remarks(standing: &Standing, ratings: &Ratings, zero: EloZero) -> Vec<String> {
    let zero = match zero {
        EloZero::Engine(engine) if ratings.elos()[engine].value() == Some(0.0) => standing.names()[engine].as_str(),
        _ => "the mean",
    };
    let mut notes = vec![format!(
        "Elo by maximum likelihood, {zero} at 0; 95 % intervals by {}; LOS: the engine is stronger than the next.",
        clusters(standing)
    )];
    let elos = ratings.elos();
    if elos.iter().any(|elo| matches!(elo, RatedElo::Likeliest { error: None, .. })) {
        notes.push(format!(
            "No interval where fewer than {FEWEST_DIFFERING} of the pairs that an Elo depends on differ from the most common result of their \
             two engines, or of the engine's openings from its most common points from one, or one pair decides alone."
        ));
    }
    if elos.iter().any(|elo| elo.value().is_none()) {
        let what = "- instead of an Elo: no game against the engines that have one. Points taken by way of others give the place, else the score.";
        notes.push(what.to_owned());
    }
    if elos.iter().any(|elo| matches!(elo, RatedElo::AtLeast(Some(_)) | RatedElo::AtMost(Some(_)))) {
        let what = ">= or <= instead of an Elo: every game against the others was won or lost; at that Elo this has a probability of 2.5 % \
                    at most.";
        notes.push(what.to_owned());
    }
    notes
}

/// A sentence begins with a capital.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use drawish_match::arena::PairRecord;
    use drawish_match::tournament::Schedule;

    use super::*;

    /// A pair without moves, with these results.
    fn pair(number: u64, first: &str, second: &str) -> PairRecord {
        let game = |result: &str| format!(r#"{{"result":"{result}","end":"repetition","moves":"","said":""}}"#);
        serde_json::from_str(&format!(r#"{{"pair":{number},"games":[{},{}]}}"#, game(first), game(second)))
            .expect("a pair")
    }

    fn standing(pairs: &[(&str, &str)], names: &[&str], schedule: Schedule) -> Standing {
        let mut standing = Standing::new(names.iter().map(|&name| name.to_owned()).collect(), schedule, u64::MAX);
        (1..).zip(pairs).for_each(|(number, (first, second))| standing.add(&pair(number, first, second)));
        standing
    }

    /// Whom an opening suits it suits again.
    #[test]
    fn openings_that_come_again_make_no_error_smaller() {
        let won = ("1-0", "0-1");
        let (half, level) = (("1-0", "1/2-1/2"), ("1/2-1/2", "1/2-1/2"));
        let pairs = [won, half, level, ("0-1", "1-0")].repeat(3).repeat(4);
        let error = |openings| {
            let names = ["a", "b"].map(str::to_owned).to_vec();
            let mut standing = Standing::new(names, Schedule::RoundRobin, openings);
            (1..).zip(&pairs).for_each(|(number, (first, second))| standing.add(&pair(number, first, second)));
            match standing.ratings(EloZero::Mean).expect("connected").elos()[0] {
                RatedElo::Likeliest { error: Some(error), .. } => error,
                elo => panic!("{elo:?}"),
            }
        };
        // Each of twelve openings goes alike four times.
        assert!((2.0..2.4).contains(&(error(12) / error(48))), "{} {}", error(12), error(48));
        assert!((error(48) - error(u64::MAX)).abs() < 1e-9 && (error(5) - error(48)).abs() < 1e-9);
    }

    #[test]
    fn the_table_of_three() {
        let won = ("1-0", "0-1");
        let (half, level) = (("1-0", "1/2-1/2"), ("1/2-1/2", "1/2-1/2"));
        let rounds = [[half, won, level], [level, half, half], [half, level, level], [level, won, half]];
        let rounds: Vec<_> = rounds.into_iter().chain(rounds).chain(rounds).flatten().collect();
        let standing = standing(&rounds, &["weak|", "b", "strong"], Schedule::RoundRobin);
        let shown = text(&standing, EloZero::Mean);
        assert_eq!(text(&standing.to_be_shown(), EloZero::Mean), shown);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[1].starts_with("1  weak|") && lines[1].contains("+/-") && lines[1].ends_with('%'), "{shown}");
        assert!(lines[3].starts_with("3  strong") && lines[3].contains("  48  "), "{shown}");
        assert_eq!(lines[5], "1  weak|                        -  6-18-0  15-9-0", "{shown}");
        assert!(lines[8].starts_with("Elo by maximum likelihood, the mean at 0"), "{shown}");
        let json = json(&standing, EloZero::Engine(2));
        assert_eq!((json["engines"][2]["elo"].as_f64(), json["anchor"].as_str()), (Some(0.0), Some("strong")));
        assert_eq!(json["meetings"][1]["engines"], serde_json::json!(["weak|", "strong"]));
        assert_eq!(json["engines"][0]["games"], 48);
    }

    #[test]
    fn what_is_not_known_is_said() {
        let won = ("1-0", "0-1");
        let seeds = NonZeroUsize::MIN;
        let gauntlet = |pairs: &[_]| standing(pairs, &["a", "b", "c"], Schedule::Gauntlet { seeds });
        let shown = text(&gauntlet(&[won]), EloZero::Mean);
        assert!(shown.contains("No Elo yet: no chain of games leads from a to c."), "{shown}");
        let shown = text(&gauntlet(&[won, ("1-0", "1-0")]), EloZero::Mean);
        assert!(shown.contains("<= -") || shown.contains(">= "), "{shown}");
        assert!(shown.contains("2.5 % at most") && shown.contains("No interval where"), "{shown}");
        let shown = text(&gauntlet(&[won, ("1-0", "1-0")]), EloZero::Engine(1));
        assert!(shown.contains("b has only won, or only lost, and cannot be at 0."), "{shown}");
        // Two seeds beat d and lose to c, and have not met: nothing compares them.
        let seeds = NonZeroUsize::new(2).expect("two");
        let lost = ("0-1", "1-0");
        let rounds: Vec<_> = [lost, won, lost, won].repeat(3);
        let two = standing(&rounds, &["a", "b", "c", "d"], Schedule::Gauntlet { seeds });
        let shown = text(&two, EloZero::Mean);
        let names: Vec<_> = shown.lines().skip(1).take(4).map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(names, [Some("c"), Some("a"), Some("b"), Some("d")], "{shown}");
        assert!(shown.contains("- instead of an Elo: no game against the engines that have one."), "{shown}");
        let nothing = text(&gauntlet(&[]), EloZero::Mean);
        assert!(nothing.contains("No Elo yet") && !nothing.contains("NaN"), "{nothing}");
    }
}
