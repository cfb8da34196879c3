//! Who had White how often: where games are not in pairs, the advantage of White may be in what they say.

use super::games::Decided;
use super::{Remark, Run};

/// Games of a side by its colour, White first.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Colours {
    games: [u64; 2],
    points: [f64; 2],
    /// The sum of the squares of the points of a game.
    squares: f64,
}

impl Colours {
    /// Those of games.
    pub(super) fn of<'a>(games: impl Iterator<Item = &'a Decided>, side: &str) -> Colours {
        let mut colours = Colours::default();
        for game in games {
            let (colour, score) = (usize::from(game.black(side)), f64::from(game.halves(side)) / 2.0);
            colours.games[colour] += 1;
            colours.points[colour] += score;
            colours.squares += score * score;
        }
        colours
    }

    /// Those of the other side.
    pub(super) fn reversed(self) -> Colours {
        let Colours { games: [white, black], points: [of_white, of_black], squares } = self;
        let all = (white + black) as f64;
        Colours {
            games: [black, white],
            points: [black as f64 - of_black, white as f64 - of_white],
            squares: all - 2.0 * (of_white + of_black) + squares,
        }
    }

    fn and(self, other: Colours) -> Colours {
        Colours {
            games: [0, 1].map(|colour| self.games[colour] + other.games[colour]),
            points: [0, 1].map(|colour| self.points[colour] + other.points[colour]),
            squares: self.squares + other.squares,
        }
    }

    /// Whether the side has had White in far more games than Black, or the other way round: by more than a tenth of the games, and than chance
    /// makes it.
    pub(super) fn are_far_apart(self) -> bool {
        let [white, black] = self.games;
        let (more, games) = (white.abs_diff(black), white + black);
        10 * more > games && more.saturating_mul(more) > 9 * games
    }

    /// The same, or by so many that the advantage of White moves its score by a quarter of the standard error.
    fn are_uneven(self) -> bool {
        let Colours { games: [white, black], points, squares } = self;
        let (more, games) = (white.abs_diff(black), white + black);
        let all = games as f64;
        let advantage = points[0] / white as f64 - points[1] / black as f64;
        let variance = squares / all - ((points[0] + points[1]) / all).powi(2);
        let bias = more as f64 / all / 2.0 * advantage.abs();
        // In fewer games what seems to be an advantage of White may be chance.
        self.are_far_apart() || games >= 100 && 4.0 * bias > (variance / all).sqrt()
    }
}

/// Says of the last of all runs that their side has had one colour far more often. The colours of one run may be even by those of another.
pub(super) fn remark_on(runs: &mut [Run]) {
    let colours = runs.iter().fold(Colours::default(), |all, run| all.and(run.colours));
    let of_several = runs.len() > 1;
    let [white, black] = colours.games;
    let said = if colours.are_uneven() {
        Some(Remark::Colours { white, games: white + black, of_several })
    } else {
        differ(runs).then_some(Remark::ColoursApart)
    };
    if let Some(last) = runs.last_mut() {
        last.remarks.extend(said);
    }
}

/// Whether one of several runs has one colour far more often: its score differs from that of others by the advantage of White.
pub(super) fn differ(runs: &[Run]) -> bool {
    runs.len() > 1 && runs.iter().any(|run| run.colours.are_far_apart())
}

#[cfg(test)]
mod tests {
    use drawish_stats::{Model, Sprt};

    use super::super::by_opening::analysed;
    use super::super::copies::Seen;
    use super::super::{Against, Choice, games, stopped};
    use super::*;

    /// Games with these numbers; `a` has White in even ones.
    fn text(numbers: impl IntoIterator<Item = u64>) -> String {
        let game = |number: u64| {
            let (white, black) = if number.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
            let result = if number % 8 < 2 { "0-1" } else { "1-0" };
            format!(
                "[Event \"e\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
            )
        };
        numbers.into_iter().map(game).collect()
    }

    fn run(numbers: impl IntoIterator<Item = u64>, first: &str) -> Run {
        let run =
            games::read("a.pgn", text(numbers).as_bytes(), &Choice::default(), &mut Seen::default()).expect("games");
        if run.sides.as_ref().is_some_and(|sides| sides[0] == first) { run } else { run.reversed() }
    }

    fn said(mut runs: Vec<Run>) -> Vec<Remark> {
        remark_on(&mut runs);
        let is_of_colours = |said: &Remark| matches!(said, Remark::Colours { .. } | Remark::ColoursApart);
        runs.into_iter().flat_map(|run| run.remarks).filter(is_of_colours).collect()
    }

    #[test]
    fn one_colour_far_more_often_is_named() {
        let colours = |white, games, of_several| vec![Remark::Colours { white, games, of_several }];
        // As a database that was asked for the games with White has them.
        let mostly_white = || (0..34).map(|game| 2 * game).chain((0..6).map(|game| 2 * game + 1));
        assert_eq!(said(vec![run(mostly_white(), "a")]), colours(34, 40, false));
        assert_eq!(said(vec![run(mostly_white(), "b")]), colours(6, 40, false));
        assert_eq!(said(vec![run(0..40, "a")]), []);
        // Each game in its own file.
        assert_eq!(said(mostly_white().map(|game| run([game], "a")).collect()), colours(34, 40, true));
        assert_eq!(said((0..40).map(|game| run([game], "a")).collect()), []);
        // A file of games with White, and one of games with Black.
        let files = || vec![run((0..40).map(|game| 2 * game), "a"), run((0..40).map(|game| 2 * game + 1), "a")];
        assert_eq!(said(files()), [Remark::ColoursApart]);
        // What tells them apart is no sign of another match, and no test has stopped them.
        let sprt = Sprt::new(Model::Normalized, 0.0, 40.0, 0.05, 0.05).expect("a test");
        let found = analysed(&files(), false, Some(sprt), None).expect("an analysis");
        assert_eq!((found.pool.same_match, stopped(&files(), Some(sprt))), (None, 0));
        assert_eq!(said(files().into_iter().take(1).collect()), colours(40, 40, false));
        // Colours that are even but for chance explain no large difference.
        let by_chance = || (0..120).chain((0..10).map(|game| 8 * game + 2));
        let apart = vec![run(by_chance(), "a"), run((0..120).map(|game| 8 * (game / 2) + game % 2), "a")];
        assert!(analysed(&apart, false, None, None).expect("an analysis").pool.same_match.is_some());
        // Where White wins nearly always, a few games more decide.
        let with_more = |more: u64| said(vec![run((0..400 - more).chain((0..more).map(|game| 8 * game + 2)), "a")]);
        assert_eq!([with_more(16).len(), with_more(2).len()], [1, 0]);
    }

    #[test]
    fn the_other_side_has_the_other_colours() {
        let numbers = || (0..30).chain([2, 4, 6, 10]);
        let choice = Choice { first: Some("b".to_owned()), against: Against::All };
        let other =
            games::read("a.pgn", text(numbers()).as_bytes(), &choice, &mut Seen::default()).expect("games").colours;
        let one = run(numbers(), "a").colours;
        assert_eq!((one.games, other.games), ([19, 15], [15, 19]));
        assert_eq!((one.reversed(), other.reversed()), (other, one));
    }
}
