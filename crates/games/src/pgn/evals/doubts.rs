//! What speaks against how evaluations were read, in words.

use std::ops::AddAssign;

use drawish_stats::numbers::grouped;
use serde::{Deserialize, Serialize};

use super::{Eval, EvalValue, Style, View};

/// What speaks against how evaluations were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EvalDoubts {
    /// The view from which all evaluations were read; `None` for that of their style.
    #[serde(default)]
    pub view: Option<View>,
    /// Pairs of evaluations behind successive half-moves that both see a side better by more than a pawn, in the order of
    /// [`Style::ALL`]: those that see different sides better, and those that see the same.
    pub pairs: [[u64; 2]; Style::ALL.len()],
    /// Games with ten such pairs or more, in the same order: those in which two thirds of them see different sides better, and others.
    #[serde(default)]
    pub games: [[u64; 2]; Style::ALL.len()],
    /// Bare numbers with one or more than two decimals.
    pub times: u64,
    /// Bare numbers with two decimals that were not read as evaluations, since one of the others stands before them in their game.
    pub unread: u64,
    /// Those that were read as evaluations although one of the others stands behind them in their game.
    pub misread: u64,
    /// Numbers that were not read as evaluations for want of a plus, where none had come of their side in their game.
    #[serde(default)]
    pub lacking_plus: u64,
    /// Whole numbers with a sign and nothing else, which are not read: centipawns of python-chess' scores, or anything.
    #[serde(default)]
    pub whole: u64,
    /// Evaluations with a minus, where no plus had come of their side in their game.
    #[serde(default)]
    pub minus: u64,
    /// Evaluations of 0.00 at depth 0 or 1, as match runners write them where an engine says nothing.
    #[serde(default)]
    pub placeholders: u64,
    /// `[%eval 1,35]` that were read as centipawns and a depth although `[%eval 0,05]` stands behind them in their game.
    #[serde(default)]
    pub commas: u64,
    /// `[%eval 1,35]` that were read as centipawns and a depth, of either sign: those of 1 to 9 centipawns, and those of more.
    #[serde(default)]
    pub before_comma: [u64; 2],
    /// `[%eval 0.35/18]` other than 0: those whose decimals are 00, and others.
    #[serde(default)]
    pub before_slash: [u64; 2],
    /// Of decided games with evaluations of Black alone, in the order of [`Style::ALL`]: those whose last one beyond a pawn sees the loser
    /// better, and those where it sees the winner better.
    #[serde(default)]
    pub endings: [[u64; 2]; Style::ALL.len()],
    /// The same of White's evaluations, where there are any.
    #[serde(default)]
    pub endings_of_white: [[u64; 2]; Style::ALL.len()],
}

impl EvalDoubts {
    /// Counts a pair of a game, which is one of so many of the style in it.
    pub(super) fn count_pair(&mut self, style: Style, is_same_side: bool, of_game: &mut [u64; 2]) {
        let kind = |pairs: [u64; 2]| (pairs.iter().sum::<u64>() >= FEWEST).then(|| usize::from(!contradict(pairs)));
        let before = kind(*of_game);
        of_game[usize::from(is_same_side)] += 1;
        self.pairs[style as usize][usize::from(is_same_side)] += 1;
        let games = &mut self.games[style as usize];
        if let Some(before) = before {
            games[before] -= 1;
        }
        if let Some(kind) = kind(*of_game) {
            games[kind] += 1;
        }
    }

    /// Whether nothing was found that speaks for or against how evaluations were read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == EvalDoubts { view: self.view, ..EvalDoubts::default() }
    }

    /// From which view evaluations of a style were read.
    fn view_of(&self, style: Style) -> View {
        self.view.unwrap_or(style.view())
    }

    /// What speaks against how evaluations were read, a line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let is_doubtful = |counts: [u64; 2]| counts[0] >= FEWEST && contradict(counts);
        let views = Style::ALL.into_iter().zip(self.pairs).filter(|&(_, pairs)| is_doubtful(pairs));
        let views = views.map(|(style, [other, same])| {
            let (other, all) = (grouped(other), grouped(other + same));
            let found = format!(
                "{other} of {all} pairs of successive evaluations beyond a pawn, in style {}, contradict each other",
                style.name()
            );
            of_other_view(self.view_of(style), &found)
        });
        let mixed = Style::ALL.into_iter().zip(self.games).zip(self.pairs);
        let mixed = mixed.filter(|&((_, [turned, others]), pairs)| {
            turned >= FEWEST && ONE_IN * turned > turned + others && !is_doubtful(pairs)
        });
        let mixed = mixed.map(|((style, [turned, others]), _)| {
            format!(
                "in {} of {} games with {FEWEST} or more pairs of successive evaluations beyond a pawn, in style {}, these contradict each other from \
                 {}, as which all are read, and in the others they agree: some events, or one engine, probably have the other view, and the wrong \
                 sign behind the moves of one side; read them by themselves with their view (docs/guides/wdl.md says how), or leave them out",
                grouped(turned),
                grouped(turned + others),
                style.name(),
                in_words(self.view_of(style)),
            )
        });
        let endings = Style::ALL.into_iter().zip(self.endings).filter(|&(_, games)| is_doubtful(games));
        let endings = endings.map(|(style, [other, same])| {
            let (other, all) = (grouped(other), grouped(other + same));
            let found = format!("in {other} of {all} decided games with evaluations of Black only, the last one beyond a pawn, in style {}, sees the loser better", style.name());
            of_other_view(self.view_of(style), &found)
        });
        let reversed = Style::ALL.into_iter().zip(self.endings_of_white).filter(|&(_, games)| is_doubtful(games));
        let reversed = reversed.map(|(style, [other, same])| {
            let (probable, remedy) = if self.view == Some(View::ToMove) {
                ("of the side that moved, or White's", "name the right view")
            } else {
                ("of the side to move behind each move", "name that view")
            };
            format!(
                "in {} of {} decided games, White's last evaluation beyond a pawn, in style {}, sees the loser better: evaluations are probably from the \
                 view {probable}, and those behind White's moves have the wrong sign; {remedy} (docs/guides/wdl.md says how) and start again, or leave \
                 the file out",
                grouped(other),
                grouped(other + same),
                style.name()
            )
        });
        let [small, large] = self.before_comma;
        let commas = if small >= FEWEST && small > large {
            Some(format!(
                "{} of {} evaluations such as [%eval 1,35] are of 1 to 9 centipawns if a depth stands behind the comma, as which they are \
                 read: if these are decimals, write points and start again",
                grouped(small),
                grouped(small + large),
            ))
        } else {
            (self.commas >= FEWEST).then(|| format!(
                "{} evaluations such as [%eval 1,35] were read as centipawns and a depth before others of their games, such as [%eval 0,05], \
                 showed that decimals stand behind the comma; write points and start again",
                grouped(self.commas),
            ))
        };
        let times = (self.unread + self.misread > 0).then(|| {
            format!(
                "{} comments are bare numbers with one or more than two decimals, as seconds are written: {} with two \
                 decimals behind them in their games were not read as evaluations, {} before them were; if they are times, \
                 remove them and start again",
                grouped(self.times),
                grouped(self.unread),
                grouped(self.misread),
            )
        });
        let one_sided = (self.lacking_plus >= FEWEST && self.minus >= FEWEST && 20 * self.lacking_plus > self.minus).then(|| {
            format!(
                "{} comments look like evaluations without a plus and are not read, {} with a minus are, so that what is read is \
                 one-sided; write a plus before the others and start again, or leave the file out",
                grouped(self.lacking_plus),
                grouped(self.minus),
            )
        });
        let whole_numbers = (self.whole >= FEWEST).then(|| {
            format!(
                "{} comments are whole numbers with a sign, such as +35, and are not read, while mates such as #+3 are: if they are centipawns, as \
                 python-chess prints scores, write them as [%eval 0.35], from White's view, and start again",
                grouped(self.whole),
            )
        });
        let placeholders = (self.placeholders >= FEWEST).then(|| {
            format!(
                "{} evaluations are 0.00 at depth 0 or 1, as match runners write where an engine says nothing, such as for moves of a book: they count \
                 like others, but in `relevance annotate`, which passes them over",
                grouped(self.placeholders),
            )
        });
        let [whole, others] = self.before_slash;
        let hundredfold = (whole >= FEWEST && whole > 20 * others).then(|| {
            format!(
                "{} of {} evaluations such as [%eval 35.00/18] have no decimals but 00: PyChess 0.12rc1 to rc3 wrote centipawns so, which are read as pawns; \
                 divide them by 100 and start again, or leave the file out",
                grouped(whole),
                grouped(whole + others),
            )
        });
        views
            .chain(mixed)
            .chain(endings)
            .chain(reversed)
            .chain(times)
            .chain(commas)
            .chain(hundredfold)
            .chain(one_sided)
            .chain(whole_numbers)
            .chain(placeholders)
            .collect()
    }
}

/// That evaluations are from the other view than the one from which they were read, as was found.
fn of_other_view(view: View, found: &str) -> String {
    let probable = match view {
        View::Mover | View::ToMove => "White's, as Fritz and annotators write them",
        View::White => "that of the side that moved, as engines give them",
    };
    format!(
        "{found} from {}, as which they are read: it is probably {probable}, and those behind Black's moves have the wrong sign; name \
         that view (docs/guides/wdl.md says how) and start again, or leave the file out",
        in_words(view)
    )
}

fn in_words(view: View) -> &'static str {
    match view {
        View::Mover => "the view of the side that moved",
        View::White => "White's view",
        View::ToMove => "the view of the side to move",
    }
}

/// Whether by far more see different sides better than the same.
fn contradict([other, same]: [u64; 2]) -> bool {
    other > 2 * same
}

/// One game in so many has another view: of engines that disagree for ten half-moves there are fewer.
const ONE_IN: u64 = 100;

/// So many pairs that contradict each other are no chance: one side may be wrong for a few moves.
const FEWEST: u64 = 10;

impl Eval {
    /// Whether it is 0.00 at depth 0 or 1, which match runners write where an engine says nothing: for moves of a book or a tablebase, and for
    /// moves that are the only ones.
    #[must_use]
    pub fn is_placeholder(&self) -> bool {
        self.value == EvalValue::Centipawns(0) && self.depth.is_some_and(|depth| depth <= 1)
    }
}

impl AddAssign for EvalDoubts {
    fn add_assign(&mut self, other: EvalDoubts) {
        let EvalDoubts {
            view,
            pairs,
            games,
            times,
            unread,
            misread,
            lacking_plus,
            whole,
            minus,
            placeholders,
            commas,
            before_comma,
            before_slash,
            endings,
            endings_of_white,
        } = other;
        let of_styles = [&mut self.pairs, &mut self.games, &mut self.endings, &mut self.endings_of_white];
        let mine = of_styles.into_iter().flatten();
        let theirs = [pairs, games, endings, endings_of_white].into_iter().flatten();
        mine.chain([&mut self.before_comma, &mut self.before_slash])
            .flatten()
            .zip(theirs.chain([before_comma, before_slash]).flatten())
            .for_each(|(mine, theirs)| *mine += theirs);
        self.view = view.or(self.view);
        self.times += times;
        self.unread += unread;
        self.misread += misread;
        self.lacking_plus += lacking_plus;
        self.whole += whole;
        self.minus += minus;
        self.placeholders += placeholders;
        self.commas += commas;
    }
}
