//! The file of a program, found as the system finds it.

use std::path::{Path, PathBuf};

/// The file that is started by `command` in `dir` (where this program runs if `None`): a bare name is looked for in `PATH`, a relative
/// path begins in `dir`. `None` where there is no such program.
pub(crate) fn program_file(command: &Path, dir: Option<&Path>) -> Option<PathBuf> {
    find(command, dir, &std::env::var_os("PATH").unwrap_or_default())
}

fn find(command: &Path, dir: Option<&Path>, path: &std::ffi::OsStr) -> Option<PathBuf> {
    // Windows begins relative paths where this program runs.
    let base = dir.filter(|_| !cfg!(windows)).unwrap_or(Path::new(""));
    let is_bare = command.parent().is_none_or(|parent| parent.as_os_str().is_empty());
    let places = if is_bare { std::env::split_paths(path).collect() } else { vec![PathBuf::new()] };
    let named = |file: PathBuf| {
        let mut ending = file.clone().into_os_string();
        ending.push(std::env::consts::EXE_SUFFIX);
        [file, ending.into()]
    };
    places.into_iter().flat_map(|place| named(base.join(place).join(command))).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_program_is_found_where_it_is_started() {
        let root = std::env::temp_dir().join(format!("drawish-program-{}", std::process::id()));
        let (first, second) = (root.join("first"), root.join("second"));
        for (place, mode) in [(&first, 0o644), (&second, 0o755)] {
            fs::create_dir_all(place).expect("a directory");
            fs::write(place.join("eng"), "").expect("a file");
            fs::set_permissions(place.join("eng"), fs::Permissions::from_mode(mode)).expect("it is ours");
        }
        let path = std::env::join_paths([&first, &second]).expect("a path");
        let found = |command: &str, dir: Option<&Path>| find(Path::new(command), dir, &path);
        let own = Some(second.join("eng"));
        assert_eq!(found("eng", None), own, "a file that is no program is passed over");
        assert_eq!(found("eng", Some(&first)), own, "a bare name is not looked for where it runs");
        assert_eq!(found("second/eng", Some(&root)), own);
        assert_eq!(found("./eng", Some(&second)), Some(second.join("./eng")));
        assert_eq!(found("./eng", Some(&root)), None);
        assert_eq!(found(&second.join("eng").display().to_string(), Some(&first)), own);
        assert_eq!(find(Path::new("eng"), Some(&root), "first:second".as_ref()), own, "so are relative places");
        fs::remove_dir_all(&root).expect("it goes");
    }
}
