//! What an experiment asked, and what its games say.

use crate::document::{Block, Section, Table};
use drawish_match::arena::repeats_text;
use drawish_match::experiment::{Experiment, Judged, Judgement, Role, Verdict};
use drawish_stats::FEWEST_EVENTS;
use drawish_stats::numbers::{counted, elo_interval, grouped, part, probability, signed};

/// The question, the verdicts, and the design that stood before the games.
#[must_use]
pub fn experiment(plan: &Experiment, judgement: &Judgement) -> Vec<Section> {
    vec![question(plan), known(plan, judgement), controls(plan, judgement), design(plan)]
}

fn question(plan: &Experiment) -> Section {
    let mut section = Section::new("question", "The question");
    section.blocks.push(Block::Text(plan.question.clone()));
    let other = plan.arms.iter().filter_map(|arm| Some(format!("{} for {}", grouped(arm.pairs?), arm.name)));
    let other: Vec<String> = other.collect();
    let more = if other.is_empty() { String::new() } else { format!(" ({})", other.join(", ")) };
    section.blocks.push(Block::Text(format!(
        "{} pairs of games for each arm{} at {} nodes a move, from the book {} in the order of seed {}; differences below {} Elo count as \
         none; tests at the level {}. Registered {}.",
        grouped(plan.game.pairs),
        more,
        grouped(plan.game.nodes),
        plan.game.book.display(),
        plan.game.seed,
        plan.judgement.margin,
        plan.judgement.level,
        plan.registered
    )));
    section
}

fn known(plan: &Experiment, judgement: &Judgement) -> Section {
    let mut section = Section::new("known", "What is known, and what is not");
    let head = ["arm", "verdict", "pairs", "Elo", "95 % interval", "p", "p (Holm)", "p of equivalence", "LLR"];
    let mut table = Table::new(2, &head);
    let questions: Vec<&Judged> = judgement.arms.iter().filter(|arm| arm.role == Role::Question).collect();
    for arm in &questions {
        table.row(row(arm));
    }
    section.blocks.push(Block::Table(table));
    section.blocks.push(Block::List(questions.iter().map(|arm| sentence(plan, arm)).collect()));
    section.blocks.push(Block::Text(format!(
        "The intervals are those of the likelihood of pairs. p: the probability of a difference as large as the one found if there is \
         none, the winner of each decided pair being drawn at random, or, before an arm has played all its pairs, that of a test by betting, which \
         holds however often it is looked at; Holm: corrected for {} asked at once. Equivalence: two one-sided tests within {} Elo either way. LLR: \
         the sequential test of {} against {} normalized Elo, of all pairs, since it stopped nothing here; in brackets what it would have accepted \
         and after how many pairs, had it been watched. \
         Games more: until equivalence is shown with a probability of 0.8, if there is no difference.",
        counted(questions.len() as u64, "question"),
        plan.judgement.margin,
        plan.judgement.elo0,
        plan.judgement.elo1
    )));
    section
}

fn row(arm: &Judged) -> [String; 9] {
    let games = arm.result.results.games();
    let played = |text: String| if games == 0 { "-".to_owned() } else { text };
    let accepted = arm.accepted().map(|(name, pairs)| format!(" ({name}, {})", grouped(pairs)));
    [
        arm.name.clone(),
        arm.verdict.name().to_owned(),
        grouped(games / 2),
        played(signed(arm.strength.elo, 1)),
        played(elo_interval(arm.strength.elo_low, arm.strength.elo_high, |elo| signed(elo, 1))),
        played(probability(arm.p, 3)),
        played(probability(arm.p_holm, 3)),
        played(probability(arm.equivalence.p(), 3)),
        played(format!("{:.2}{}", arm.llr, accepted.unwrap_or_default())),
    ]
}

/// What it takes to show equivalence, in words.
fn still_needed(arm: &Judged, margin: f64) -> String {
    match arm.games_for_equivalence {
        Some(games) => {
            let more = games - arm.result.distinct.games() as f64;
            if more > 0.0 {
                format!("to show that it is within {margin} Elo takes about {} games more", grouped(more.ceil() as u64))
            } else {
                format!("so many would mostly show that it is within {margin} Elo if there were no difference")
            }
        }
        None => format!(
            "how many more it takes to show that it is within {margin} Elo is not known yet{}",
            arm.strength.not_yet.map_or_else(String::new, |why| format!(": {why}"))
        ),
    }
}

/// What the games of an arm say, in words.
fn sentence(plan: &Experiment, arm: &Judged) -> String {
    let (name, games) = (&arm.name, grouped(arm.result.results.games()));
    let elo = elo_interval(arm.strength.elo_low, arm.strength.elo_high, |elo| signed(elo, 1));
    let margin = plan.judgement.margin;
    let holds = arm.p_together().is_none_or(|p| p < plan.judgement.level);
    let together = if holds { "" } else { ", though not when all questions are judged together" };
    let said = match arm.verdict {
        Verdict::NoGames => format!("{name}: nothing is known, no game has been played."),
        Verdict::Better => {
            format!("{name} plays better than the baseline: {elo} Elo after {games} games{together}.")
        }
        Verdict::Worse => {
            format!("{name} plays worse than the baseline: {elo} Elo after {games} games{together}.")
        }
        Verdict::Equivalent => {
            format!("{name} plays as well as the baseline, within {margin} Elo, after {games} games{together}.")
        }
        Verdict::Open => format!(
            "{name}: open. After {games} games anything from {elo} Elo is possible; {}.",
            still_needed(arm, margin)
        ),
    };
    let repeats = repeats_text(arm.result.repeated, arm.result.results.games() / 2, "pair");
    let said = said + &repeats.map_or_else(String::new, |text| format!(" {text}."));
    if arm.is_final || arm.verdict == Verdict::NoGames {
        said
    } else {
        format!(
            "{said} It has not played all pairs of the plan yet: its p-values are valid however often they are looked \
             at, its intervals for one look."
        )
    }
}

fn controls(plan: &Experiment, judgement: &Judgement) -> Section {
    let mut section = Section::new("controls", "Whether the experiment can be trusted");
    let mut table =
        Table::new(2, &["arm", "must be 0", "Elo", "95 % interval", "identical pairs", "drawn games", "mean slope"]);
    for arm in &judgement.arms {
        let games = arm.result.results.games();
        let played = |text: String| if games == 0 { "-".to_owned() } else { text };
        table.row([
            arm.name.clone(),
            match (arm.role, arm.control_holds) {
                (Role::Question, _) => "",
                (Role::Control, None) => "no games",
                (Role::Control, Some(true)) => "holds",
                (Role::Control, Some(false)) => "FAILS",
            }
            .to_owned(),
            played(signed(arm.strength.elo, 1)),
            played(elo_interval(arm.strength.elo_low, arm.strength.elo_high, |elo| signed(elo, 1))),
            part(arm.result.identical, games / 2),
            part(arm.result.drawn, games),
            arm.result.slope.map_or("-".to_owned(), |(slope, error)| {
                let error = error.map_or_else(String::new, |error| format!(" ± {error:.3}"));
                format!("{slope:.3}{error}")
            }),
        ]);
    }
    section.blocks.push(Block::Table(table));
    section.blocks.push(Block::Text(format!(
        "A control must come out at 0: it fails where p is below {}. Identical pairs: both games had the same moves, so the arm never chose \
         another move than {}. Mean slope: how much the arm's number rises with the win/loss score, in that of {}, over one \
         position of each pair, with standard error from {FEWEST_EVENTS} positions on; the arms are normalised to 1 over other positions, so that none wins by \
         moving the margins of the search.",
        plan.judgement.level, plan.baseline.name, plan.baseline.name
    )));
    section
}

fn design(plan: &Experiment) -> Section {
    let mut section = Section::new("design", "The arms");
    let mut table = Table::new(3, &["arm", "settings", "what it is"]);
    for arm in std::iter::once(&plan.baseline).chain(&plan.arms) {
        let settings: Vec<String> = arm.settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        table.row([arm.name.clone(), settings.join(", "), arm.what.clone()]);
    }
    section.blocks.push(Block::Table(table));
    let corpora = plan.corpora.iter().map(|corpus| {
        let (games, made) = (grouped(corpus.games), corpus.made.join("; "));
        format!("{}: {} games, {}, XXH3 {}. {made}", corpus.name, games, corpus.file, corpus.xxh3)
    });
    section.blocks.push(Block::List(corpora.collect()));
    section
}
