//! How a match stands, for its first side.

use std::collections::BTreeMap;

use shakmaty::{Color, Position};

use super::course::{add_game, add_pair};
use super::record::{GameRecord, PairRecord};
use super::repeats::Repeats;
use super::rules::End;
use drawish_heads::features::{StructureClass, pawns};
use drawish_stats::{Model, Pentanomial, Proportion, Results, Trinomial};

/// The half-move, those of the opening included, after which a game is put into its class of pawn structures: that of move 40.
/// Shorter games are put into the class of their last position.
pub const CLASS_PLY: usize = 80;

/// Games of one kind, for the first side, and how the drawn ones came to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Won, drawn and lost games of the first side.
    pub games: Trinomial,
    /// Drawn games by their end: those in which the first side had White, and those in which the second had.
    pub draws: BTreeMap<End, [u64; 2]>,
    /// Pairs by how many of their games are of the kind, one or two, and how many of these were drawn.
    pub pairs: [[u64; 3]; 2],
}

impl Share {
    fn add(&mut self, game: &GameRecord, own: Color) {
        match game.winner() {
            Some(winner) if winner == own => self.games.wins += 1,
            Some(_) => self.games.losses += 1,
            None => {
                self.games.draws += 1;
                self.draws.entry(game.end).or_default()[own.fold_wb(0, 1)] += 1;
            }
        }
    }

    /// The share of drawn games. The games of a pair have the same opening, so
    /// they are taken as a cluster.
    #[must_use]
    pub fn drawn(&self) -> Option<Proportion> {
        let pairs = (1..)
            .zip(&self.pairs)
            .flat_map(|(games, by_draws)| (0..=games).zip(by_draws).map(move |(draws, &pairs)| (draws, games, pairs)));
        Proportion::of_clusters(pairs)
    }

    /// All games.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.games.wins + self.games.draws + self.games.losses
    }
}

/// Sums over finished pairs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Pairs by their points.
    pub pairs: Pentanomial,
    /// Of the pairs with one point: those with a win and a loss.
    pub win_loss: u64,
    /// And those with two draws.
    pub two_draws: u64,
    /// Games.
    pub games: Trinomial,
    /// Drawn games by their end: those in which the first side had White, and those in which the second had.
    pub drawn: BTreeMap<End, [u64; 2]>,
    /// Games by the class of their pawns after [`CLASS_PLY`] half-moves, without pairs that are the same games as an earlier one.
    pub structures: BTreeMap<StructureClass, Share>,
    /// Of positions that the book evaluates: the games of each side with the better position, for that side, without pairs that are
    /// the same games as an earlier one.
    pub conversions: [Trinomial; 2],
    /// Games by their end.
    pub ends: BTreeMap<End, u64>,
    /// Games that each side has lost by a fault.
    pub faults: [BTreeMap<End, u64>; 2],
    /// Searches of each side that went far beyond their limits.
    pub overran: [u64; 2],
    /// Pairs in which both games had the same moves.
    pub identical: u64,
    /// Pairs by their fingerprints.
    repeats: Repeats,
    /// Pairs and their games without those that are the same games as an earlier pair.
    distinct: (Pentanomial, Trinomial),
    /// Half-moves that were thought about.
    pub plies: u64,
}

impl Tally {
    /// Adds a pair.
    pub fn add(&mut self, record: &PairRecord) {
        let mut halves = 0;
        let mut draws = 0;
        let is_new = self.repeats.add(record.fingerprint(["first", "second"]));
        let mut of_class: BTreeMap<StructureClass, [usize; 2]> = BTreeMap::new();
        for (number, game) in record.games.iter().enumerate() {
            let own = if number == 0 { Color::White } else { Color::Black };
            let winner = game.winner();
            if let Some(position) = record.position_after(game, CLASS_PLY).filter(|_| is_new) {
                let class = StructureClass::of(pawns(position.board()));
                self.structures.entry(class).or_default().add(game, own);
                let [games, drawn] = of_class.entry(class).or_default();
                *games += 1;
                *drawn += usize::from(winner.is_none());
            }
            match winner {
                Some(winner) if winner == own => {
                    self.games.wins += 1;
                    halves += 2;
                }
                Some(_) => self.games.losses += 1,
                None => {
                    self.games.draws += 1;
                    draws += 1;
                    halves += 1;
                    self.drawn.entry(game.end).or_default()[number] += 1;
                }
            }
            if let Some(eval) = record.eval.filter(|&eval| is_new && eval != 0) {
                let better = if eval > 0 { Color::White } else { Color::Black };
                let games = &mut self.conversions[usize::from(better != own)];
                match winner {
                    Some(winner) if winner == better => games.wins += 1,
                    Some(_) => games.losses += 1,
                    None => games.draws += 1,
                }
            }
            *self.ends.entry(game.end).or_default() += 1;
            if game.end.is_fault() {
                let culprit = usize::from(winner == Some(own));
                *self.faults[culprit].entry(game.end).or_default() += 1;
            }
            let [white, black] = game.overran.map(u64::from);
            let (first, second) = if number == 0 { (white, black) } else { (black, white) };
            self.overran[0] += first;
            self.overran[1] += second;
            self.plies += game.plies() as u64;
        }
        for (class, [games, drawn]) in of_class {
            self.structures.entry(class).or_default().pairs[games - 1][drawn] += 1;
        }
        let slot = match halves {
            0 => &mut self.pairs.ll,
            1 => &mut self.pairs.ld,
            2 => &mut self.pairs.wl_dd,
            3 => &mut self.pairs.wd,
            _ => &mut self.pairs.ww,
        };
        *slot += 1;
        self.win_loss += u64::from(halves == 2 && draws == 0);
        self.two_draws += u64::from(draws == 2);
        self.identical += u64::from(record.is_identical());
        if is_new {
            let halves = record.games.each_ref().map(|game| game.winner());
            let of = |winner: Option<Color>, own| winner.map_or(1, |winner| 2 * u8::from(winner == own));
            let halves = [of(halves[0], Color::White), of(halves[1], Color::Black)];
            add_pair(&mut self.distinct.0, halves);
            halves.into_iter().for_each(|halves| add_game(&mut self.distinct.1, halves));
        }
    }

    /// A copy to be shown, of a size that does not grow with the pairs: further pairs of the same games would not be known in it.
    #[must_use]
    pub fn to_be_shown(&self) -> Tally {
        Tally {
            repeats: self.repeats.total(),
            distinct: self.distinct,
            pairs: self.pairs,
            win_loss: self.win_loss,
            two_draws: self.two_draws,
            games: self.games,
            drawn: self.drawn.clone(),
            structures: self.structures.clone(),
            conversions: self.conversions,
            ends: self.ends.clone(),
            faults: self.faults.clone(),
            overran: self.overran,
            identical: self.identical,
            plies: self.plies,
        }
    }

    /// Pairs that are the same games as an earlier pair: the same opening and the same moves.
    #[must_use]
    pub fn repeated(&self) -> u64 {
        self.repeats.count()
    }

    /// All of them, by pairs.
    #[must_use]
    pub fn results(&self) -> Results {
        Results::Pairs(self.pairs)
    }

    /// The same without pairs that are the same games as an earlier one: these add no evidence, so all that judges leaves them out.
    #[must_use]
    pub fn distinct(&self) -> Results {
        Results::Pairs(self.distinct.0)
    }

    /// Those as a test with this model looks at them.
    #[must_use]
    pub fn results_for(&self, model: Model) -> Results {
        match model {
            Model::Bayesian => Results::Games(self.distinct.1),
            Model::Normalized | Model::Logistic => self.distinct(),
        }
    }

    /// Finished pairs.
    #[must_use]
    pub fn pairs_played(&self) -> u64 {
        self.results().games() / 2
    }

    /// Games that a rule of the match has ended.
    #[must_use]
    pub fn adjudicated(&self) -> u64 {
        self.ends.iter().filter(|(end, _)| end.is_adjudicated()).map(|(_, games)| games).sum()
    }

    /// Drawn games by their end.
    pub fn draws(&self) -> impl Iterator<Item = (End, u64)> {
        self.drawn.iter().map(|(end, [first, second])| (*end, first + second))
    }
}
