//! Which engines can be compared: by chains of games, and by chains of points.

use super::Encounter;

/// Which engines are connected with the first by games.
pub(super) fn chained(engines: usize, met: &[Encounter]) -> Vec<bool> {
    let links = |engine: usize| {
        met.iter().filter_map(move |met| Some(met.engines[1 - met.side_of(engine)?])).collect::<Vec<_>>()
    };
    reached(engines, 0, &links)
}

/// Whom each engine has taken points from, if only by way of others: whoever it reaches so without being reached is weaker.
pub(super) fn reach_by_points(engines: usize, met: &[Encounter]) -> Vec<Vec<bool>> {
    let took_from = |engine: usize| {
        let beaten = met.iter().filter_map(move |met| {
            let side = met.side_of(engine)?;
            (met.points()[side] > 0.0).then(|| met.engines[1 - side])
        });
        beaten.collect::<Vec<_>>()
    };
    (0..engines).map(|from| reached(engines, from, &took_from)).collect()
}

/// The engines that are rated: the largest group in which everybody has taken points from everybody else, if only by way of others, so
/// that the likeliest ratings are finite (L. R. Ford 1957). Of groups of a size it is the one with most pairs.
pub(super) fn comparable(reach: &[Vec<bool>], met: &[Encounter]) -> Vec<bool> {
    let engines = reach.len();
    let group = |of: usize| (0..engines).map(|other| reach[of][other] && reach[other][of]).collect::<Vec<bool>>();
    let size = |group: &[bool]| {
        let pairs: f64 =
            met.iter().filter(|met| met.engines.iter().any(|&engine| group[engine])).map(Encounter::count).sum();
        (group.iter().filter(|&&own| own).count(), pairs)
    };
    let mut largest: Option<(Vec<bool>, (usize, f64))> = None;
    for group in (0..engines).map(group) {
        let size = size(&group);
        if largest.as_ref().is_none_or(|(_, most)| size > *most) {
            largest = Some((group, size));
        }
    }
    largest.map_or(Vec::new(), |(group, _)| group)
}

/// What can be reached from a start by links.
fn reached(count: usize, start: usize, links: &dyn Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut reached = vec![false; count];
    let mut open = vec![start];
    while let Some(here) = open.pop() {
        match reached.get_mut(here) {
            Some(known) if !*known => *known = true,
            _ => continue,
        }
        open.extend(links(here));
    }
    reached
}
