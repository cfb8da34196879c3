//! `--sprt elo0=0 elo1=5`: a test in words.

use anyhow::{Context, Result, bail};

use drawish::stats::{Model, Sprt};

/// The test of `--sprt elo0= elo1= ...`; none without words.
pub(in crate::cli) fn sprt(words: &[String]) -> Result<Option<Sprt>> {
    if words.is_empty() {
        return Ok(None);
    }
    let (mut bounds, mut errors, mut model) = ([None, None], [0.05, 0.05], Model::Normalized);
    for word in words {
        let usage =
            || format!("--sprt {word}: expected elo0=, elo1=, alpha=, beta= with a number, or model= with a model");
        let (key, value) = word.split_once('=').with_context(usage)?;
        let number = || value.parse::<f64>().with_context(usage);
        match key {
            "elo0" => bounds[0] = Some(number()?),
            "elo1" => bounds[1] = Some(number()?),
            "alpha" => errors[0] = number()?,
            "beta" => errors[1] = number()?,
            "model" => model = *Model::ALL.iter().find(|model| model.name() == value).with_context(usage)?,
            _ => bail!(usage()),
        }
    }
    let [Some(elo0), Some(elo1)] = bounds else { bail!("--sprt needs both elo0= and elo1=") };
    Ok(Some(Sprt::new(model, elo0, elo1, errors[0], errors[1])?))
}
