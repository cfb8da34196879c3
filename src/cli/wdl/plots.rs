//! The pictures of a fit, under the options of scoreWDL.py.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use crate::cli::{output, picture};
use drawish::report::pictures::wdl::{View, distribution, summary};
use drawish::wdl::fit::Fit;

#[derive(clap::Args)]
pub(super) struct PlotArgs {
    /// Whether to save a picture of six panels; save+show is the same, there is no window [default: no, save with --png-name]
    #[arg(long, value_enum, help_heading = "Pictures")]
    plot: Option<PlotArg>,
    /// The picture, .png or .svg [default with --plot save: scoreWDL.svg]
    #[arg(long, aliases = ["pngName", "plot-name"], value_name = "FILE", help_heading = "Pictures")]
    png_name: Option<PathBuf>,
    /// A picture of the numbers of positions, .png or .svg
    #[arg(long, aliases = ["pngNameDistro", "plot-name-distro"], value_name = "FILE", help_heading = "Pictures")]
    png_name_distro: Option<PathBuf>,
    /// Least material or move in the picture [default: the limit of the fit]
    #[arg(long, alias = "momPlotMin", value_name = "N", help_heading = "Pictures")]
    mom_plot_min: Option<u32>,
    /// Most material or last move in the picture [default: the limit of the fit]
    #[arg(long, alias = "momPlotMax", value_name = "N", help_heading = "Pictures")]
    mom_plot_max: Option<u32>,
    /// Material or move of the slice [default: the anchor]
    #[arg(long, alias = "momPlotTarget", value_name = "N", help_heading = "Pictures")]
    mom_plot_target: Option<u32>,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
enum PlotArg {
    #[value(name = "save+show")]
    SaveAndShow,
    Save,
    No,
}

impl PlotArgs {
    /// The picture of six panels, if it is wanted.
    fn summary_path(&self) -> Option<PathBuf> {
        let default = || PathBuf::from("scoreWDL.svg");
        match self.plot {
            Some(PlotArg::No) => None,
            Some(_) => Some(self.png_name.clone().unwrap_or_else(default)),
            None => self.png_name.clone(),
        }
    }

    /// Makes sure, before the work, that the pictures can be written.
    pub(super) fn check(&self, inputs: &[PathBuf]) -> Result<()> {
        for path in self.summary_path().iter().chain(&self.png_name_distro) {
            picture::check_name(path)?;
            output::check(path, inputs)?;
        }
        Ok(())
    }

    /// Writes the pictures that are wanted.
    pub(super) fn save(&self, fit: &Fit) -> Result<()> {
        let (least, most) = fit.options.mom_limits();
        let view = View {
            mom: (f64::from(self.mom_plot_min.unwrap_or(least)), f64::from(self.mom_plot_max.unwrap_or(most))),
            target: self.mom_plot_target.map_or(fit.options.mom_target, f64::from),
        };
        ensure!(view.mom.0 < view.mom.1, "--mom-plot-min must be below --mom-plot-max");
        if let Some(path) = self.summary_path() {
            picture::write(&path, &summary(fit, view))?;
        }
        if let Some(path) = &self.png_name_distro {
            picture::write(path, &distribution(fit))?;
        }
        Ok(())
    }
}
