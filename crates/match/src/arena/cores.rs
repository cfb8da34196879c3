//! Workers bound to cores, and their engines with them: a process begins on the cores of the thread that starts it.

use std::io;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use drawish_stats::numbers::counted;
use thiserror::Error;

/// Numbers of cores, as `0,2,4-7`; none stands for all that this program may use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CoreList(pub Vec<usize>);

/// So many cores at most can be told apart.
const MOST: usize = 1024;

/// Why games cannot be bound to cores.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum CoresError {
    #[error("expected numbers of cores below {MOST}, each once, as in 0,2,4-7; found {0:?}")]
    Text(String),
    #[error("games can be bound to cores on Linux only")]
    NotHere,
    #[error("core {0} is none that this program may use")]
    NoSuchCore(usize),
    #[error(
        "{} at a time with {} each need {}, found {found}: play fewer games at a time, or name more cores",
        counted(*workers as u64, "game"), counted(*each as u64, "core"), workers * each
    )]
    Few { workers: usize, each: usize, found: usize },
    #[error("threads cannot be bound to cores: {0}")]
    System(io::Error),
}

impl FromStr for CoreList {
    type Err = CoresError;

    fn from_str(text: &str) -> Result<CoreList, CoresError> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
            (first <= last && last < MOST).then_some(first..=last)
        };
        let mut cores = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let more = range(part).ok_or_else(|| CoresError::Text(text.to_owned()))?;
            for core in more {
                if cores.contains(&core) {
                    return Err(CoresError::Text(text.to_owned()));
                }
                cores.push(core);
            }
        }
        Ok(CoreList(cores))
    }
}

/// Cores for each worker.
pub(crate) struct Cores {
    groups: Vec<Vec<usize>>,
    /// The next group that nobody has.
    next: AtomicUsize,
    /// All cores that this program may use.
    all: Vec<usize>,
}

impl Cores {
    /// So many cores for each of some workers.
    pub(crate) fn new(list: &CoreList, each: usize, workers: usize) -> Result<Cores, CoresError> {
        let all = system::cores()?;
        let cores = if list.0.is_empty() { &all } else { &list.0 };
        if let Some(core) = cores.iter().find(|core| !all.contains(core)) {
            return Err(CoresError::NoSuchCore(*core));
        }
        let groups: Vec<_> = cores.chunks_exact(each.max(1)).take(workers).map(<[usize]>::to_vec).collect();
        if groups.len() < workers {
            return Err(CoresError::Few { workers, each, found: cores.len() });
        }
        Ok(Cores { groups, next: AtomicUsize::new(0), all })
    }

    /// Binds this thread, and what it starts from now on, to the next cores.
    pub(crate) fn bind(&self) -> Result<(), CoresError> {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        system::bind(&self.groups[next % self.groups.len()])
    }

    /// Lets this thread run where it likes again.
    pub(crate) fn release(&self) {
        // It ran there before, so nothing speaks against it.
        let _ = system::bind(&self.all);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::{CoresError, MOST};

    /// The cores that this thread may use.
    pub(super) fn cores() -> Result<Vec<usize>, CoresError> {
        let set = sched_getaffinity(None).map_err(|error| CoresError::System(error.into()))?;
        Ok((0..MOST.min(CpuSet::MAX_CPU)).filter(|&core| set.is_set(core)).collect())
    }

    pub(super) fn bind(cores: &[usize]) -> Result<(), CoresError> {
        let mut set = CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        sched_setaffinity(None, &set).map_err(|error| CoresError::System(error.into()))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::CoresError;

    pub(super) fn cores() -> Result<Vec<usize>, CoresError> {
        Err(CoresError::NotHere)
    }

    pub(super) fn bind(_: &[usize]) -> Result<(), CoresError> {
        Err(CoresError::NotHere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores() {
        let list = |text: &str| text.parse::<CoreList>().map(|list| list.0).ok();
        assert_eq!(list("0,2,4-7"), Some(vec![0, 2, 4, 5, 6, 7]));
        assert_eq!(list(""), Some(vec![]));
        for wrong in ["x", "1,", "3-1", "1,1", "0-2000", "-1", "1-2-3"] {
            assert_eq!(list(wrong), None, "{wrong}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_bound_thread_starts_is_bound_too() {
        let all = system::cores().expect("cores");
        let cores = Cores::new(&CoreList::default(), 1, all.len()).expect("cores");
        std::thread::scope(|scope| {
            let bound = scope.spawn(|| {
                cores.bind().expect("a core");
                let status = std::process::Command::new("cat").arg("/proc/self/status").output().expect("a program");
                let own = system::cores().expect("cores");
                cores.release();
                (own, String::from_utf8_lossy(&status.stdout).into_owned(), system::cores().expect("cores"))
            });
            let (own, status, after) = bound.join().expect("a thread");
            assert_eq!((own, after), (vec![all[0]], all.clone()));
            assert!(status.contains(&format!("Cpus_allowed_list:\t{}\n", all[0])), "{status}");
        });
        let few = Cores::new(&CoreList(vec![all[0]]), 1, 2).err().expect("too few").to_string();
        assert!(few.starts_with("2 games at a time with 1 core each need 2, found 1"), "{few}");
        let none = Cores::new(&CoreList(vec![1023]), 1, 1).err().map(|error| error.to_string());
        assert_eq!(none.as_deref(), Some("core 1023 is none that this program may use"));
    }
}
