//! The results of two engines, or of one against others, in the log of a tournament.

use drawish_artefact::provenance::in_comment;
use drawish_stats::{Counted, Pentanomial, Trinomial};

use super::by_opening::Met;
use super::shared::Prints;
use super::{Choice, GamesError, Remark, ResultsError, Run};
use crate::arena::{Conducts, Course};
use crate::tournament::{LoggedTournament, Meeting};

/// Reads the log of a tournament, of which a choice takes the games of two sides.
pub(super) fn read(name: &str, text: &[u8], choice: &Choice) -> Result<Run, ResultsError> {
    let logged = LoggedTournament::read(text).map_err(|cause| ResultsError::Log { name: name.to_owned(), cause })?;
    if let Some((line, what)) = logged.damage {
        return Err(ResultsError::Damaged { name: name.to_owned(), line, what });
    }
    let standing = logged.standing();
    let names: Vec<String> = standing.names().iter().map(|name| in_comment(name)).collect();
    let refused = |cause| ResultsError::Games { name: name.to_owned(), cause };
    if let Some(wanted) = choice.missing(&names) {
        return Err(refused(GamesError::NoSuchEngine { wanted: wanted.clone(), names }));
    }
    let sides = match (&names[..], &choice.first, choice.opponents()) {
        (_, Some(first), Some(opponents)) => [first.clone(), opponents],
        ([one, other], ..) => [one.clone(), other.clone()],
        _ => return Err(refused(GamesError::Engines { names, met: Vec::new() })),
    };
    let (mut pairs, mut games, mut others) = (Pentanomial::default(), Trinomial::default(), 0);
    let mut opponents: Vec<(String, u64)> = Vec::new();
    for Meeting { engines, tally } in standing.meetings() {
        let count = tally.games.wins + tally.games.draws + tally.games.losses;
        let side = engines.iter().position(|&engine| names[engine] == sides[0]);
        let opponent = side.map(|side| &names[engines[1 - side]]).filter(|opponent| choice.takes(opponent));
        let (Some(side), Some(opponent)) = (side, opponent) else {
            others += count;
            continue;
        };
        let counted = Counted { pairs: Some(tally.pairs), games: Some(tally.games) };
        let counted = if side == 0 { counted } else { counted.reversed() };
        pairs += counted.pairs.unwrap_or_default();
        let of_meeting = counted.games.unwrap_or_default();
        games.wins += of_meeting.wins;
        games.draws += of_meeting.draws;
        games.losses += of_meeting.losses;
        opponents.push((opponent.clone(), count));
    }
    if let (Some(first), Some(together)) = (&choice.first, choice.opponents())
        && opponents.iter().all(|(_, games)| *games == 0)
    {
        return Err(refused(GamesError::NeverMet { first: first.clone(), opponents: together }));
    }
    let taken = logged.pairs.iter().filter_map(|record| {
        let players = standing.meetings()[standing.pairing(record)?].engines.map(|engine| names[engine].as_str());
        let is_taken = |side: usize| players[side] == sides[0] && choice.takes(players[1 - side]);
        (is_taken(0) || is_taken(1)).then_some((record, players))
    });
    let taken: Vec<_> = taken.collect();
    // Two engines have played a match within the tournament.
    let course = (opponents.len() == 1).then(|| {
        let course = Course::of(taken.iter().map(|(record, _)| *record));
        if taken.iter().all(|(_, players)| players[0] == sides[0]) { course } else { course.reversed() }
    });
    let mut met = Met::default();
    for (record, players) in &taken {
        let is_first = players[0] == sides[0];
        let score = if is_first { record.score() } else { 1.0 - record.score() };
        met.add(players[usize::from(is_first)], record.opening_print(), score);
    }
    let (design_effect, of_openings) = met.effect("pair");
    let prints = Prints::of_pairs(taken.iter().copied(), &sides[0]);
    let mut remarks: Vec<Remark> = logged.is_cut.then_some(Remark::Cut).into_iter().collect();
    remarks.extend(Remark::of_choice(opponents, others).chain(of_openings));
    let mut conducts = Conducts::default();
    conducts.add_pairs(taken.iter().copied());
    remarks.extend(conducts.noted().map(Remark::Conduct));
    let counted = Counted { pairs: Some(pairs), games: Some(games) };
    let engines = logged.setup.games.sides;
    Ok(Run {
        sides: Some(sides),
        remarks,
        met,
        prints,
        course,
        design_effect,
        engines,
        ..Run::of_counts(name, counted)
    })
}
