//! Which observations depend on each other: in one way, or in two that cross.

use std::borrow::Cow;
use std::ops::Range;

use super::enough::worth;

/// The clusters of observations, by the number of each. Observations of one cluster depend on each other; where a second way of clustering
/// [crosses](Self::crossed_by) the first, so do those of one of its clusters, as games of one opening line do though they are of many events.
#[derive(Clone, Copy, Debug)]
pub struct Clusters<'a> {
    first: &'a [u32],
    second: Option<&'a [u32]>,
}

impl<'a> Clusters<'a> {
    /// The same with a second way of clustering.
    ///
    /// ```
    /// use drawish_stats::{Clusters, clustered_mean};
    ///
    /// let (gains, events) = ([1.0, 2.0, 4.0, 1.0, 2.0, 5.0], [0, 0, 0, 1, 1, 1]);
    /// // Games 0 and 3, 1 and 4, 2 and 5 begin with the same moves.
    /// let lines = [0, 1, 2, 0, 1, 2];
    /// let error = |clusters| clustered_mean(&gains, clusters).and_then(|mean| mean.error).expect("two events");
    /// assert!(error(Clusters::from(&events).crossed_by(&lines)) > error(Clusters::from(&events)));
    /// ```
    #[must_use]
    pub fn crossed_by(self, second: &'a [u32]) -> Clusters<'a> {
        Clusters { second: Some(second), ..self }
    }

    /// The number of each of the first observations in the first way, below that of the observations.
    pub(crate) fn numbered(self, count: usize) -> (Cow<'a, [u32]>, usize) {
        numbered(&self.first[..count])
    }

    /// What the second way adds for the first observations.
    pub(crate) fn crossings(self, count: usize) -> Option<Crossings> {
        self.second.map(|second| Crossings::new(&self.first[..count], &second[..count]))
    }
}

impl<'a> From<&'a [u32]> for Clusters<'a> {
    fn from(first: &'a [u32]) -> Self {
        Clusters { first, second: None }
    }
}

impl<'a> From<&'a Vec<u32>> for Clusters<'a> {
    fn from(first: &'a Vec<u32>) -> Self {
        first.as_slice().into()
    }
}

impl<'a, const N: usize> From<&'a [u32; N]> for Clusters<'a> {
    fn from(first: &'a [u32; N]) -> Self {
        first.as_slice().into()
    }
}

/// The clusters of the second way that meet several of the first. The others lie within one of the first, whose sums have what they add.
#[derive(Debug)]
pub(crate) struct Crossings {
    /// Observations, those of a cluster of the second way together, and among them those of one of the first.
    order: Vec<usize>,
    /// Of each such cluster its parts, each within one cluster of the first way.
    parts: Vec<Vec<Range<usize>>>,
    /// How many clusters the second way has.
    pub clusters: usize,
    /// So many of equal size they are [worth](worth()).
    pub worth: f64,
}

impl Crossings {
    fn new(first: &[u32], second: &[u32]) -> Crossings {
        let mut order: Vec<usize> = (0..first.len()).collect();
        order.sort_by_key(|&of| (second[of], first[of]));
        let (mut parts, mut sizes, mut start) = (Vec::new(), Vec::new(), 0);
        for cluster in order.chunk_by(|&one, &next| second[one] == second[next]) {
            let mut end = start;
            let ranges: Vec<Range<usize>> = cluster
                .chunk_by(|&one, &next| first[one] == first[next])
                .map(|part| {
                    let from = end;
                    end += part.len();
                    from..end
                })
                .collect();
            sizes.push(cluster.len() as f64);
            start = end;
            if ranges.len() > 1 {
                parts.push(ranges);
            }
        }
        Crossings { order, parts, clusters: sizes.len(), worth: worth(sizes) }
    }

    /// Each cluster that meets several of the first way: all its observations, and those of each part.
    pub(crate) fn met(&self) -> impl Iterator<Item = (&[usize], impl Iterator<Item = &[usize]>)> {
        self.parts.iter().map(|ranges| {
            let (start, end) = (ranges[0].start, ranges[ranges.len() - 1].end);
            (&self.order[start..end], ranges.iter().map(|range| &self.order[range.clone()]))
        })
    }

    /// By how much the sum of squares over the first way falls short of what both make: over clusters of the second, the square of the whole less
    /// the squares of its parts, for the first way has these (Cameron, Gelbach and Miller 2011). Chance may bring it below 0, where what is
    /// independent looks as if it evened itself out: it counts as 0 then.
    pub(crate) fn squares(&self, of: impl Fn(&[usize]) -> f64) -> f64 {
        let lacking =
            self.met().map(|(whole, parts)| of(whole).powi(2) - parts.map(|part| of(part).powi(2)).sum::<f64>());
        lacking.sum::<f64>().max(0.0)
    }
}

/// The clusters by numbers below that of their values, in the same order, so that large numbers take no memory; and how many numbers that
/// takes.
fn numbered(clusters: &[u32]) -> (Cow<'_, [u32]>, usize) {
    let largest = clusters.iter().max().map_or(0, |&largest| largest as usize);
    if largest < clusters.len() {
        return (clusters.into(), largest + 1);
    }
    let mut known = clusters.to_vec();
    known.sort_unstable();
    known.dedup();
    let place = |cluster: &u32| known.partition_point(|other| other < cluster);
    (clusters.iter().map(|cluster| u32::try_from(place(cluster)).unwrap_or(u32::MAX)).collect(), known.len())
}
