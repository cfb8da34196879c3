//! The pictures of a fit, under the options of scoreWDL.py.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::cli::args::choice::{Choice, choice};
use crate::cli::{output, picture};
use drawish::report::pictures::wdl::{View, distribution, summary};
use drawish::wdl::fit::Fit;

#[derive(clap::Args)]
pub(super) struct PlotArgs {
    /// Whether to save a picture of six panels; save+show is the same, there is no window [default: no, save with --png-name]
    #[arg(long, value_parser = choice(&PLOTS))]
    plot: Option<bool>,
    /// The picture, .png or .svg [default with --plot save: scoreWDL.svg]
    #[arg(long, aliases = ["pngName", "plot-name"], value_name = "FILE")]
    png_name: Option<PathBuf>,
    /// A picture of the numbers of positions, .png or .svg
    #[arg(long, aliases = ["pngNameDistro", "plot-name-distro"], value_name = "FILE")]
    png_name_distro: Option<PathBuf>,
    /// Least material or move in the picture [default: the limit of the fit]
    #[arg(long, alias = "momPlotMin", value_name = "N")]
    mom_plot_min: Option<u32>,
    /// Most material or last move in the picture [default: the limit of the fit]
    #[arg(long, alias = "momPlotMax", value_name = "N")]
    mom_plot_max: Option<u32>,
    /// Material or move of the slice [default: the anchor]
    #[arg(long, alias = "momPlotTarget", value_name = "N")]
    mom_plot_target: Option<u32>,
}

const PLOTS: [Choice<bool>; 3] = [(&["save+show"], "", true), (&["save"], "", true), (&["no"], "", false)];

impl PlotArgs {
    /// The picture of six panels, if it is wanted.
    fn summary_path(&self) -> Option<PathBuf> {
        let default = || PathBuf::from("scoreWDL.svg");
        match self.plot {
            Some(false) => None,
            Some(true) => Some(self.png_name.clone().unwrap_or_else(default)),
            None => self.png_name.clone(),
        }
    }

    /// The pictures that are wanted.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.summary_path().into_iter().chain(self.png_name_distro.clone()).collect()
    }

    /// Makes sure, before the work, that the pictures can be written.
    pub(super) fn check(&self, inputs: &[PathBuf]) -> Result<()> {
        let pictures = self.paths();
        pictures.iter().try_for_each(|path| picture::check_name(path))?;
        output::check(&pictures, inputs)
    }

    /// Writes the pictures that are wanted.
    pub(super) fn save(&self, fit: &Fit) -> Result<()> {
        let usual = View::of(&fit.options);
        let or = |asked: Option<u32>, usual: f64| asked.map_or(usual, f64::from);
        let view = View {
            mom: (or(self.mom_plot_min, usual.mom.0), or(self.mom_plot_max, usual.mom.1)),
            target: or(self.mom_plot_target, usual.target),
        };
        ensure!(view.mom.0 < view.mom.1, "--mom-plot-min must be below --mom-plot-max");
        save(fit, view, self.summary_path().as_deref(), self.png_name_distro.as_deref())
    }
}

/// Writes the picture of six panels, and that of the numbers of positions.
pub(super) fn save(fit: &Fit, view: View, panels: Option<&Path>, positions: Option<&Path>) -> Result<()> {
    if let Some(path) = panels {
        picture::write(path, &summary(fit, view))?;
    }
    if let Some(path) = positions {
        picture::write(path, &distribution(fit))?;
    }
    Ok(())
}
