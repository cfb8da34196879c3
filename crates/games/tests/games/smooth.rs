//! What estimates and tables say of themselves.

use drawish_core::{DrawTable, Scheme, StructureIndex, Wdl};
use drawish_games::counts::{Counts, CountsFile};
use drawish_games::export::{Evidence, Format, Table};
use drawish_games::sample::Rule;
use drawish_games::smooth::{Estimate, Estimates, Estimator, estimate, remark_of_table};

fn counts(cells: &[(u32, u64, u64)]) -> Counts {
    let mut counts = Counts::new(Scheme::Bg);
    for &(cell, draws, total) in cells {
        *counts.get_mut(StructureIndex(cell)) = Wdl { wins: total - draws, draws, losses: 0 };
    }
    counts
}

/// Cell 32 is the mirror image of cell 1, which stands for both.
#[test]
fn structures_in_their_order() {
    let estimates = estimate(&counts(&[(1, 5, 10), (32, 9, 10), (0, 8, 10), (4095, 1, 10)]), Estimator::Raw).unwrap();
    let order: Vec<_> = estimates.by_drawishness().into_iter().map(|(cell, of)| (cell.0, of.probability)).collect();
    assert_eq!(order, [(0, 0.8), (1, 0.5), (4095, 0.1)]);
}

#[test]
fn estimators_have_the_numbers_of_table_files() {
    for (id, name) in (0..).zip(["raw", "laplace", "eb", "eb-sym"]) {
        let estimator = Estimator::from_id(id).expect("an estimator");
        assert_eq!((estimator.id(), estimator.name()), (id, name));
    }
    assert_eq!(Estimator::from_id(4), None);
}

/// A table whose cells are all as `all`, but for one.
fn table(estimator: Estimator, all: Estimate, one: Estimate, evidence: Evidence) -> Vec<u8> {
    let mut cells = vec![all; 4096];
    cells[77] = one;
    let estimates = Estimates {
        scheme: Scheme::Bg,
        estimator,
        base: 0.5,
        positions: 4096,
        prior: None,
        fitted_to: 0,
        by_chance: false,
        cells,
    };
    Table::new(&estimates, &CountsFile::new(Rule::default(), Scheme::Bg)).to_bytes(Format::Table, evidence)
}

#[test]
fn tables_that_do_not_tell_structures_apart_say_so() {
    let cell = |probability, low, high| Estimate { probability, low, high, own: 1, pooled: 1 };
    let said = |estimator, all, one, evidence| {
        let bytes = table(estimator, all, one, evidence);
        remark_of_table(&DrawTable::from_bytes(&bytes).expect("a table"))
    };
    let base = cell(0.5, 0.45, 0.55);
    for estimator in [Estimator::EmpiricalBayes, Estimator::EmpiricalBayesSymmetric] {
        let with = |one| said(estimator, base, one, Evidence::Kept);
        let flat = with(base).expect("a remark");
        assert!(flat.contains("no interval leaves out the base rate"), "{flat}");
        // That it reaches to the base is enough, whatever the probability.
        assert!(with(cell(0.7, 0.5, 0.9)).is_some() && with(cell(0.3, 0.1, 0.5)).is_some());
        assert_eq!((with(cell(0.7, 0.501, 0.9)), with(cell(0.3, 0.1, 0.499))), (None, None));
        // Without intervals half a point is the limit.
        let without = |one| said(estimator, base, one, Evidence::LeftOut);
        let flat = without(base).expect("a remark");
        assert!(flat.contains("within half a point of the base rate"), "{flat}");
        assert!(without(cell(0.504, 0.0, 0.1)).is_some() && without(cell(0.496, 0.9, 1.0)).is_some());
        assert_eq!((without(cell(0.506, 0.4, 0.6)), without(cell(0.494, 0.4, 0.6))), (None, None));
    }
    for estimator in [Estimator::Raw, Estimator::Laplace] {
        assert_eq!(said(estimator, base, base, Evidence::Kept), None, "it pulls nothing towards the base");
    }
}
