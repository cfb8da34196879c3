//! Tuning by games: where each parameter went, and what the results say of it.

use crate::data::ReportData;
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::spsa::{self, height};
use crate::text::spsa::{apart_note, repeated_openings, same_games, sent_note, with_interval, with_sent};
use crate::text::tournament::capital;
use drawish_match::spsa::{Found, SpsaPlayed};
use drawish_stats::numbers::grouped;

pub(super) fn tuning(data: &ReportData) -> Section {
    let mut section = Section::new("tuning", "Tuning by games");
    let options =
        data.tunings.iter().enumerate().map(|(place, (name, played))| (name.clone(), of_run(place, name, played)));
    section.blocks = choice("tuning", "Run", options.collect());
    section
}

fn of_run(place: usize, name: &str, played: &SpsaPlayed) -> Vec<Block> {
    let setup = &played.setup;
    let [engine, _] = &setup.games.sides;
    let faults = match played.faults {
        0 => String::new(),
        1 => " 1 game ended by a fault of the engine and its pair was played again.".to_owned(),
        faults => {
            format!(" {} games ended by a fault of the engine and their pairs were played again.", grouped(faults))
        }
    };
    let said = [same_games(played.sameness), repeated_openings(played)];
    let same: String = said.iter().flatten().map(|said| format!(" {said}.")).collect();
    let text = format!(
        "{}: {}, openings {}. {} of {} steps are played, {} games.{faults}{same}",
        engine.name,
        engine.limits,
        setup.games.book,
        grouped(played.path.steps()),
        grouped(setup.steps),
        grouped(played.games())
    );
    if played.path.steps() == 0 {
        return vec![Block::Text(text), Block::Text("There is nothing to show yet.".to_owned())];
    }
    let mut table = Table::new(
        1,
        &["parameter", "before", "after the last step", "average", "best by all results (95 % interval)"],
    );
    played.found().for_each(|found| table.row(row(&found)));
    let games_per_step = 2 * setup.pairs_per_step;
    let figure = Figure {
        name: format!("tuning-{}", place + 1),
        title: format!("Parameters by games, {name}"),
        caption: "Averages are taken over the second half of the steps so far: they are what to play on with, once a match on \
                  other openings has confirmed them."
            .to_owned(),
        picture: spsa::paths(&setup.parameters, &played.path, games_per_step),
        spec: None,
        height: Height::Pixels(height(setup.parameters.len()) as u32),
    };
    let mut blocks = vec![Block::Text(text), Block::Table(table)];
    let apart = apart_note(played).filter(|_| played.found().any(|found| found.best.is_some()));
    blocks.extend(apart.map(|apart| Block::Text(format!("The best values hold {apart}."))));
    let sent = sent_note(played).trim_end();
    blocks.extend((!sent.is_empty()).then(|| Block::Text(format!("{}.", capital(sent)))));
    blocks.push(Block::Figure(figure));
    blocks
}

fn row(found: &Found<'_>) -> [String; 5] {
    let Found { parameter, value, average, best, .. } = found;
    let mut mean = with_sent(parameter, *average);
    if found.is_within_noise() {
        mean += " (moved less than its noise)";
    }
    let best = best.map_or_else(|| "not clear".to_owned(), |best| with_interval(parameter, best));
    [parameter.name.clone(), parameter.in_words(parameter.value), with_sent(parameter, *value), mean, best]
}
