//! Whose games are counted, where there are those of several engines.

use super::games::Decided;
use super::{ResultsError, Run};

/// Whose results are read.
///
/// ```
/// use drawish_match::results::{Against, Choice};
///
/// let choice = Choice { first: Some("new".to_owned()), against: Against::All };
/// assert_eq!(choice.opponents().as_deref(), Some("all others"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// The side whose results they are; `None` for the first side that a source names. Opponents can be chosen only for a side
    /// that is named.
    pub first: Option<String>,
    /// Its opponents.
    pub against: Against,
}

/// The opponents whose games count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Against {
    /// The only one that there is: games of more than two engines are refused.
    #[default]
    Only,
    /// Those with these names, taken together.
    Named(Vec<String>),
    /// All that there are, taken together.
    All,
}

/// Every opponent, where opponents are named.
const ALL: &str = "all";

impl Against {
    /// Opponents by their names: without any the only one that there is, with `all` among them all.
    #[must_use]
    pub fn of_names(names: Vec<String>) -> Against {
        match &names[..] {
            [] => Against::Only,
            some if some.iter().any(|name| name == ALL) => Against::All,
            _ => Against::Named(names),
        }
    }
}

impl Choice {
    /// What the opponents together are called; `None` if there is only one, who has its own name.
    #[must_use]
    pub fn opponents(&self) -> Option<String> {
        match &self.against {
            Against::Only => None,
            Against::Named(names) => Some(names.join(", ")),
            Against::All => Some("all others".to_owned()),
        }
    }

    /// Whether games against this engine count.
    pub(super) fn takes(&self, opponent: &str) -> bool {
        match &self.against {
            Against::Only | Against::All => true,
            Against::Named(names) => names.iter().any(|name| name == opponent),
        }
    }

    /// Whether games of these two count.
    pub(super) fn takes_game(&self, [white, black]: &[String; 2]) -> bool {
        let opponent = |first| if white == first { black } else { white };
        let is_taken = |first| (white == first) != (black == first) && self.takes(opponent(first));
        self.first.as_ref().is_none_or(is_taken)
    }

    /// The side that is chosen, if it is among the opponents that are.
    pub(super) fn against_itself(&self) -> Option<&str> {
        let first = self.first.as_ref()?;
        matches!(&self.against, Against::Named(names) if names.contains(first)).then_some(first)
    }

    /// The first name that is chosen and is not among these.
    pub(super) fn missing(&self, names: &[String]) -> Option<&String> {
        let named = if let Against::Named(names) = &self.against { &names[..] } else { &[] };
        self.first.iter().chain(named).find(|wanted| !names.contains(wanted))
    }

    /// The results of two sides, for the one that is chosen against the one that is.
    pub(super) fn of_two(&self, run: Run) -> Result<Run, ResultsError> {
        let (Some(first), Some(opponents), Some(sides)) = (&self.first, self.opponents(), &run.sides) else {
            return Ok(run);
        };
        if let Some(wanted) = self.missing(sides) {
            return Err(ResultsError::NoSuchSide { name: run.name, wanted: wanted.clone(), sides: sides.clone() });
        }
        let mut run = if sides[0] == *first { run } else { run.reversed() };
        // The name that all opponents share does not say whom these results are against.
        if let Some([_, opponent]) = &run.sides {
            run.met.name(opponent);
        }
        Ok(Run { sides: Some([first.clone(), opponents]), ..run })
    }
}

/// Leaves out games of nobody among others: an engine's words in a comment that its runner wrote as they were may end that and the game. Says
/// how many these are.
pub(super) fn without_nameless(games: &mut Vec<Decided>) -> u64 {
    let is_named = |game: &Decided| game.game.players.iter().any(|name| !name.is_empty());
    let all = games.len();
    if games.iter().any(is_named) {
        games.retain(is_named);
    }
    (all - games.len()) as u64
}
