//! `drawish wdl download` against a server that the tests run themselves, on loopback.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use crate::run::{Done, Place};

/// What is asked for: the path with its query, and the first byte wanted.
#[derive(Clone, Debug)]
struct Asked {
    path: String,
    from: usize,
    /// How often this path was asked for before.
    before: usize,
}

/// An answer: status line, headers and body, which may end earlier than the headers say.
struct Answer {
    status: &'static str,
    headers: Vec<String>,
    body: Vec<u8>,
    cut: Option<usize>,
}

fn answer(status: &'static str, body: impl Into<Vec<u8>>) -> Answer {
    Answer { status, headers: Vec::new(), body: body.into(), cut: None }
}

fn json_answer(value: &Value) -> Answer {
    answer("200 OK", value.to_string())
}

/// A file, or the part of it that is asked for.
fn file(asked: &Asked, bytes: &[u8]) -> Answer {
    if asked.from == 0 {
        return answer("200 OK", bytes);
    }
    if asked.from >= bytes.len() {
        let mut none = answer("416 Range Not Satisfiable", "");
        none.headers.push(format!("Content-Range: bytes */{}", bytes.len()));
        return none;
    }
    let mut part = answer("206 Partial Content", &bytes[asked.from..]);
    part.headers.push(format!("Content-Range: bytes {}-{}/{}", asked.from, bytes.len() - 1, bytes.len()));
    part
}

impl Answer {
    /// Ends the connection after so many bytes of the body.
    fn cut(mut self, after: usize) -> Answer {
        self.cut = Some(after);
        self
    }
}

/// A server of its own for each test.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn new(answers: impl Fn(&Asked) -> Answer + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (asked, over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (log, end) = (Arc::clone(&asked), Arc::clone(&over));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::SeqCst) {
                    return;
                }
                // Who goes away early is no failure of the server.
                let _ = serve(stream.expect("a connection"), &log, &answers);
            }
        });
        Server { address, asked, over, thread: Some(thread) }
    }

    /// The paths asked for, with the byte from which on.
    fn log(&self) -> Vec<(String, usize)> {
        self.asked.lock().expect("a log").iter().map(|asked| (asked.path.clone(), asked.from)).collect()
    }

    /// The requests for games since the beginning, or since the last call.
    fn files(&self) -> Vec<(String, usize)> {
        let log = std::mem::take(&mut *self.asked.lock().expect("a log"));
        let files = log.into_iter().filter(|asked| asked.path.starts_with("/api/run_pgns/"));
        files.map(|asked| (asked.path["/api/run_pgns/".len()..].to_owned(), asked.from)).collect()
    }

    fn download(&self, place: &Place, line: &str) -> Done {
        let mut command = place.command(["wdl", "download", "--json", "--retry-wait", "0.01", "--base", &self.address]);
        command.args(line.split_whitespace());
        for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(name);
        }
        Done(command.output().expect("the program runs"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address.trim_start_matches("http://"));
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            assert!(ended.is_some_and(|ended| ended.is_ok()), "the server panicked");
        }
    }
}

fn serve(mut stream: TcpStream, log: &Mutex<Vec<Asked>>, answers: &impl Fn(&Asked) -> Answer) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let path = lines.next().expect("a request")?.split(' ').nth(1).expect("a path").to_owned();
    let mut from = 0;
    for line in lines {
        let line = line?.to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().expect("an open range");
        }
    }
    let before = log.lock().expect("a log").iter().filter(|asked| asked.path == path).count();
    let asked = Asked { path, from, before };
    log.lock().expect("a log").push(asked.clone());
    let Answer { status, headers, body, cut } = answers(&asked);
    write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n", body.len())?;
    for header in headers {
        write!(stream, "{header}\r\n")?;
    }
    write!(stream, "\r\n")?;
    stream.write_all(&body[..cut.unwrap_or(body.len()).min(body.len())])
}

const EARLY: &str = "65aa00000000000000000001";
const LATE: &str = "65aa00000000000000000002";

fn metadata(games: u64) -> Value {
    json!({
        "start_time": "2026-11-14 09:10:11.123456+00:00",
        "args": { "tc": "60+0.6", "new_tc": "60+0.6", "book": "UHO_Lichess_4852_v1.epd", "threads": 1 },
        "results": { "wins": games, "losses": 0, "draws": 0 },
    })
}

/// Packed games of different text, so that no part of one file is a part of another.
fn games(count: usize, seed: u64) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut state = seed;
    for number in 0..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let text = format!(
            "[White \"{state}\"]\n[Black \"{number}\"]\n[Result \"1-0\"]\n\n1. e4 {{+0.{}/18 1.2s}} e5 {{-0.30/18 1.2s}} 1-0\n\n",
            10 + state % 90
        );
        packer.write_all(text.as_bytes()).expect("memory");
    }
    packer.finish().expect("memory")
}

/// A server that knows two pages of one test each, and answers for their files as `files` says.
fn fishtest(files: impl Fn(&Asked) -> Answer + Send + 'static) -> Server {
    Server::new(move |asked| {
        let page = |number: u32| asked.path.starts_with(&format!("/api/finished_runs?page={number}&"));
        if page(1) {
            json_answer(&json!({ LATE: metadata(200) }))
        } else if page(2) {
            json_answer(&json!({ EARLY: metadata(300), LATE: metadata(200) }))
        } else if page(3) {
            json_answer(&json!({}))
        } else if asked.path.starts_with("/api/run_pgns/") {
            files(asked)
        } else {
            answer("404 Not Found", "no such page")
        }
    })
}

/// The right file for each test.
fn right(asked: &Asked) -> Answer {
    file(asked, &if asked.path.contains(LATE) { games(200, 2) } else { games(300, 1) })
}

fn path_of(id: &str, ending: &str) -> String {
    format!("pgns/26-11-14/{id}/{id}{ending}")
}

/// Names of all files below a directory.
fn files_below(place: &Place, directory: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut directories = vec![place.path(directory)];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
            match entry.path() {
                path if path.is_dir() => directories.push(path),
                path => found.push(path.file_name().expect("a name").to_string_lossy().into_owned()),
            }
        }
    }
    found.sort();
    found
}

#[track_caller]
fn adds_up(summary: &Value) {
    let count = |name: &str| summary[name].as_u64().expect("a count");
    let left_out: u64 = summary["left_out"].as_object().expect("reasons").values().filter_map(Value::as_u64).sum();
    let failed = summary["failed"].as_array().expect("a list").len() as u64;
    assert_eq!(count("tests"), count("downloaded") + count("metadata") + left_out + failed, "{summary}");
}

#[test]
fn all_pages_are_downloaded_and_nothing_twice() {
    let place = Place::new();
    let server = fishtest(right);
    let summary = server.download(&place, "--username Ann&Bob").ok().json();
    adds_up(&summary);
    assert_eq!((&summary["tests"], &summary["downloaded"], &summary["games"]), (&json!(2), &json!(2), &json!(500)));
    let queries: Vec<_> = server.log().into_iter().filter(|(path, _)| path.contains("finished_runs")).collect();
    assert_eq!(queries.len(), 3);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock").as_secs_f64();
    for (number, (query, _)) in (1..).zip(&queries) {
        let rest = query.strip_prefix(&format!("/api/finished_runs?page={number}&timestamp=")).expect("a page");
        let (since, rest) = rest.split_once('&').expect("more");
        let hours = (now - since.parse::<f64>().expect("a time")) / 3600.0;
        assert!((168.0..168.1).contains(&hours), "{hours}");
        assert_eq!(rest, "ltc_only=1&username=Ann%26Bob");
    }
    assert_eq!(server.files(), [(format!("{LATE}.pgn.gz"), 0), (format!("{EARLY}.pgn.gz"), 0)]);
    assert_eq!(place.read(&path_of(EARLY, ".pgn.gz")), games(300, 1));
    let written = String::from_utf8(place.read(&path_of(EARLY, ".json"))).expect("text");
    assert!(
        written.starts_with("{\n    \"args\": {\n        \"book\": \"UHO_Lichess_4852_v1.epd\",\n        \"new_tc\""),
        "{written}"
    );
    assert_eq!(serde_json::from_str::<Value>(&written).expect("JSON"), metadata(300));
    // What is there is not asked for again, wherever it lies.
    std::fs::create_dir(place.path("pgns/old")).expect("a directory");
    std::fs::rename(place.path(&path_of(LATE, ".pgn.gz")), place.path(&format!("pgns/old/{LATE}-1.pgn")))
        .expect("renamed");
    let again = server.download(&place, "").ok().json();
    adds_up(&again);
    assert_eq!((&again["downloaded"], &again["left_out"]["there-already"]), (&json!(0), &json!(2)));
    assert_eq!(server.files(), []);
    assert_eq!(
        files_below(&place, "pgns"),
        [format!("{EARLY}.json"), format!("{EARLY}.pgn.gz"), format!("{LATE}-1.pgn"), format!("{LATE}.json")]
    );
}

#[test]
fn what_is_downloaded_is_what_collect_reads() {
    let place = Place::new();
    fishtest(right).download(&place, "").ok();
    let line = "wdl collect pgns -o games.json --json --match-tc 60\\+0.6 --match-threads 1 --match-book UHO.*";
    let summary = place.say(line).ok().json();
    assert_eq!((&summary["games"], &summary["positions"]), (&json!(500), &json!(1000)));
}

#[test]
fn a_cut_connection_is_taken_up_where_it_was_cut() {
    let place = Place::new();
    let length = games(300, 1).len();
    let server = fishtest(move |asked| match (asked.path.contains(EARLY), asked.before) {
        (true, 0) => right(asked).cut(1000),
        (true, 1) => right(asked).cut(length / 2),
        _ => right(asked),
    });
    let done = server.download(&place, "").ok();
    assert!(done.err().contains("next attempt in 0.01 s"), "{}", done.err());
    let asked: Vec<_> =
        server.files().into_iter().filter(|(path, _)| path.contains(EARLY)).map(|(_, from)| from).collect();
    assert_eq!(asked, [0, 1000, 1000 + length / 2]);
    assert_eq!(place.read(&path_of(EARLY, ".pgn.gz")), games(300, 1));
}

#[test]
fn the_next_run_completes_what_a_run_has_left() {
    let place = Place::new();
    let server = fishtest(|asked| if asked.before == 0 { right(asked).cut(2000) } else { right(asked) });
    let done = server.download(&place, "--retries 0");
    assert_eq!(done.code(), 1);
    assert!(done.err().contains(EARLY) && done.err().contains("the next run tries again"), "{}", done.err());
    adds_up(&done.json());
    assert_eq!(done.json()["failed"].as_array().map(Vec::len), Some(2));
    assert_eq!(files_below(&place, "pgns"), [format!("{EARLY}.pgn.gz.partial"), format!("{LATE}.pgn.gz.partial")]);
    // Partial files are no games.
    place.say("wdl collect pgns -o x.json").fails(1, &["pgns"]);
    let again = fishtest(right);
    let summary = again.download(&place, "").ok().json();
    assert_eq!((&summary["downloaded"], &summary["resumed_bytes"]), (&json!(2), &json!(4000)));
    assert_eq!(again.files(), [(format!("{LATE}.pgn.gz"), 2000), (format!("{EARLY}.pgn.gz"), 2000)]);
    assert_eq!(place.read(&path_of(LATE, ".pgn.gz")), games(200, 2));
    assert!(!files_below(&place, "pgns").iter().any(|name| name.ends_with("partial")));
}

/// Partial files that are complete, too long, or of something else; and a server that knows no parts.
#[test]
fn partial_files_are_never_believed() {
    let whole = games(300, 1);
    let mut other = games(300, 7);
    other.truncate(whole.len() / 2);
    let parts: [(&str, Vec<u8>, &[usize]); 4] = [
        ("complete", whole.clone(), &[whole.len()]),
        ("too long", [whole.clone(), whole.clone()].concat(), &[2 * whole.len(), 0]),
        ("of another file", other.clone(), &[other.len(), 0]),
        ("empty", Vec::new(), &[0]),
    ];
    for (what, part, asked) in parts {
        let place = Place::new();
        place.put(&path_of(EARLY, ".pgn.gz.partial"), part);
        let server = fishtest(right);
        server.download(&place, "").ok();
        let early: Vec<_> =
            server.files().into_iter().filter(|(path, _)| path.contains(EARLY)).map(|(_, from)| from).collect();
        assert_eq!(early, asked, "{what}");
        assert!(place.read(&path_of(EARLY, ".pgn.gz")) == whole, "{what}");
    }
    let place = Place::new();
    place.put(&path_of(EARLY, ".pgn.gz.partial"), &whole[..500]);
    let server = fishtest(|asked| right(&Asked { from: 0, ..asked.clone() }));
    let summary = server.download(&place, "").ok().json();
    assert_eq!(summary["downloaded"], 2);
    assert!(place.read(&path_of(EARLY, ".pgn.gz")) == whole, "the whole answer replaces the part");
}

#[test]
fn a_server_that_fails_for_a_while_is_borne_with() {
    let place = Place::new();
    let server = Server::new(|asked| {
        if asked.before < 2 {
            let mut wait =
                answer(if asked.before == 0 { "500 Internal Server Error" } else { "429 Too Many Requests" }, "wait");
            wait.headers.push("Retry-After: 0".to_owned());
            return wait;
        }
        match asked.path.as_str() {
            path if path.contains("page=1&") => json_answer(&json!({ EARLY: metadata(300) })),
            path if path.contains("finished_runs") => json_answer(&json!({})),
            _ => right(asked),
        }
    });
    let done = server.download(&place, "").ok();
    let said = done.err();
    assert!(said.contains("500 Internal Server Error (attempt 1 of 6)") && said.contains("429 Too Many"), "{said}");
    assert_eq!(done.json()["downloaded"], 1);
    let mut times: HashMap<String, usize> = HashMap::new();
    server.log().into_iter().for_each(|(path, _)| *times.entry(path).or_default() += 1);
    assert!(times.values().all(|times| *times == 3), "{times:?}");
    // Patience ends.
    let server = Server::new(|_| answer("503 Service Unavailable", ""));
    server
        .download(&place, "--retries 2")
        .fails(1, &["/api/finished_runs", "503 Service Unavailable", "try again later"]);
    assert_eq!(server.log().len(), 3);
    let gone = server.address.clone();
    drop(server);
    let mut command = place.command(["wdl", "download", "--retries", "1", "--retry-wait", "0", "--base", &gone]);
    command.env_remove("http_proxy").env_remove("HTTP_PROXY").env_remove("ALL_PROXY").env_remove("all_proxy");
    Done(command.output().expect("the program runs")).fails(1, &["attempt 1 of 2", "onnection refused"]);
}

#[test]
fn a_silent_server_is_not_waited_for_without_end() {
    let place = Place::new();
    let server = Server::new(|_| {
        std::thread::sleep(Duration::from_millis(600));
        json_answer(&json!({}))
    });
    server.download(&place, "--retries 0 --timeout 0.1").fails(1, &["timeout"]);
}

#[test]
fn tests_without_games_on_the_server_are_counted_and_leave_nothing() {
    let place = Place::new();
    let server = fishtest(|asked| if asked.path.contains(EARLY) { answer("404 Not Found", "") } else { right(asked) });
    let summary = server.download(&place, "").ok().json();
    adds_up(&summary);
    assert_eq!((&summary["downloaded"], &summary["left_out"]["absent"]), (&json!(1), &json!(1)));
    assert_eq!(files_below(&place, "pgns"), [format!("{LATE}.json"), format!("{LATE}.pgn.gz")]);
    assert!(!place.path(&format!("pgns/26-11-14/{EARLY}")).exists());
}

#[test]
fn files_that_are_no_games_do_not_take_their_names() {
    let damaged = || {
        let mut bytes = games(300, 1);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0xff;
        bytes
    };
    let short = || games(300, 1)[..700].to_vec();
    type Body = fn() -> Vec<u8>;
    let bodies: [(Body, &str); 3] = [
        (|| b"<html>down for maintenance</html>".to_vec(), "expected a gzip file"),
        (Vec::new, "expected a gzip file"),
        (|| b"\x1f\x8b\x08 and then nothing of sense".to_vec(), "do not end as they should"),
    ];
    let mut all: Vec<(Vec<u8>, &str)> = bodies.into_iter().map(|(body, reason)| (body(), reason)).collect();
    all.push((damaged(), "do not end as they should"));
    all.push((short(), "do not end as they should"));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&games(300, 1)).expect("memory");
    all.push((packer.finish().expect("memory"), "no game ends in what it unpacks to"));
    for (body, reason) in all {
        let place = Place::new();
        let server = fishtest(move |asked| if asked.path.contains(EARLY) { file(asked, &body) } else { right(asked) });
        let done = server.download(&place, "");
        assert_eq!(done.code(), 1);
        let summary = done.json();
        adds_up(&summary);
        assert_eq!(summary["failed"][0]["test"], EARLY);
        let said = summary["failed"][0]["reason"].as_str().expect("a reason").to_owned();
        assert!(said.contains("the server's file is broken") && said.contains(reason), "{said}");
        // The other test is there, of this one nothing.
        assert_eq!(files_below(&place, "pgns"), [format!("{LATE}.json"), format!("{LATE}.pgn.gz")]);
    }
}

/// A length in the headers that the body never reaches.
#[test]
fn answers_shorter_than_they_say_are_no_files() {
    let place = Place::new();
    let server = fishtest(|asked| {
        let mut answer = right(&Asked { from: 0, ..asked.clone() });
        let length = answer.body.len();
        // Without parts, so that nothing is gained by trying again.
        answer.cut = Some(length - 1);
        answer
    });
    let done = server.download(&place, "--retries 2");
    assert_eq!(done.code(), 1);
    assert_eq!(done.json()["failed"].as_array().map(Vec::len), Some(2));
    assert_eq!(done.json()["downloaded"], 0);
    // What comes again and again up to the same byte is no progress.
    assert_eq!(server.files().len(), 2 * 3);
}

#[test]
fn answers_that_are_no_list_of_tests_are_told() {
    let place = Place::new();
    for (body, found) in
        [("<html>hello", "\"<html>hello\""), ("", "nothing"), ("[1, 2]", "\"[1,2]\""), ("{\"error\": \"x\"}", "error")]
    {
        let server = Server::new(move |_| answer("200 OK", body));
        server.download(&place, "").fails(1, &["/api/finished_runs", found, "is it the address of a fishtest server?"]);
        assert_eq!(server.log().len(), 1, "{body}: not asked again");
    }
    let server = Server::new(|_| answer("200 OK", "{\"65aa\": {\"start").cut(5));
    server.download(&place, "--retries 1").fails(1, &["attempt 1 of 2"]);
    place.say("wdl download --base tests.stockfishchess.org").fails(1, &["expected the address of a server"]);
}

/// A listing whose names would leave the directory, and other tests that are not wanted.
#[test]
fn every_test_that_is_left_out_has_a_reason() {
    let place = Place::new();
    let with = |change: Value| {
        let mut all = metadata(10);
        for (name, value) in change.as_object().expect("a map") {
            all[name] = value.clone();
        }
        all
    };
    let args = |change: Value| with(json!({ "args": change }));
    let page = json!({
        "../../evil": metadata(10),
        "a1": with(json!({ "start_time": "/../../evil" })),
        "a2": args(json!({ "spsa": {}, "tc": "60+0.6", "new_tc": "60+0.6" })),
        "a3": with(json!({ "results": { "wins": 0, "losses": 0, "draws": 0 } })),
        "a4": args(json!({ "book": "UHO_FRC.epd", "tc": "60+0.6", "new_tc": "60+0.6" })),
        "a5": args(json!({ "tc": "60+0.6" })),
        "a6": args(json!({ "tc": "x", "new_tc": "60+0.6" })),
        "a7": args(json!({ "tc": "10+0.1", "new_tc": "60+0.6" })),
        "a8": args(json!({ "tc": "60+0.6", "new_tc": "180+1.8" })),
    });
    // A server that knows nothing of pages.
    let server = Server::new(move |_| json_answer(&page));
    let line = "--path deep/pgns --standard_chess_only true --tc_lower_limit 60 --tc_upper_limit 60 --ltc_only=False --yellow-only";
    let summary = server.download(&place, line).ok().json();
    adds_up(&summary);
    assert_eq!((&summary["tests"], &summary["downloaded"]), (&json!(9), &json!(0)));
    for reason in ["no-identifier", "no-day", "spsa", "no-games", "book", "no-time-control", "unknown-time-control"] {
        assert_eq!(summary["left_out"][reason], 1, "{reason}");
    }
    assert_eq!(
        (&summary["left_out"]["short-time-control"], &summary["left_out"]["long-time-control"]),
        (&json!(1), &json!(1))
    );
    assert!(server.log().iter().all(|(path, _)| path.ends_with("&yellow_only=1") && !path.contains("ltc_only")));
    assert_eq!(server.log().len(), 2, "a page with nothing new is the last");
    assert_eq!(files_below(&place, "."), [] as [String; 0]);
}

#[test]
fn missing_metadata_are_fetched() {
    let place = Place::new();
    place.put(&format!("pgns/x/{EARLY}-1.pgn.gz"), games(1, 1));
    place.put(&format!("pgns/x/{EARLY}-2.pgn.gz"), games(1, 2));
    place.put(&format!("pgns/{LATE}.pgn"), "");
    place.put(&format!("pgns/{LATE}.json"), "{}");
    place.put("pgns/a1.pgn", "");
    let server = || {
        Server::new(|asked| match asked.path.strip_prefix("/api/get_run/") {
            Some("a1") => answer("404 Not Found", ""),
            Some(_) => json_answer(&metadata(7)),
            None => panic!("{asked:?}"),
        })
    };
    let summary = server().download(&place, "--missing-metadata").ok().json();
    adds_up(&summary);
    assert_eq!((&summary["tests"], &summary["metadata"]), (&json!(3), &json!(1)));
    assert_eq!((&summary["left_out"]["there-already"], &summary["left_out"]["absent"]), (&json!(1), &json!(1)));
    let read = |name: &str| serde_json::from_slice::<Value>(&place.read(name)).expect("JSON");
    assert_eq!((read(&format!("pgns/x/{EARLY}.json")), read(&format!("pgns/{LATE}.json"))), (metadata(7), json!({})));
    let all = server().download(&place, "--missing-metadata --overwrite").ok().json();
    assert_eq!(all["metadata"], 2);
    assert_eq!(read(&format!("pgns/{LATE}.json")), metadata(7));
}

#[test]
fn a_failing_disk_ends_the_run() {
    let place = Place::new();
    let server = fishtest(right);
    place.put("file", "");
    server.download(&place, "--path file/pgns").fails(1, &["file/pgns", "see to the disk"]);
    // A file where a directory should be.
    place.put("pgns/26-11-14", "");
    server.download(&place, "").fails(1, &["26-11-14", "see to the disk and start again"]);
    assert_eq!(server.files(), []);
    #[cfg(target_os = "linux")]
    {
        let full = Place::new();
        full.put(&path_of(LATE, ".x"), "");
        std::os::unix::fs::symlink("/dev/full", full.path(&path_of(LATE, ".pgn.gz.partial"))).expect("a link");
        server.download(&full, "").fails(1, &["pgn.gz.partial", "No space left on device", "see to the disk"]);
        assert_eq!(server.files().len(), 1, "no other test is tried");
    }
}

/// A test that another process is at is left to it.
#[test]
fn two_runs_do_not_write_to_one_file() {
    let place = Place::new();
    let partial = place.put(&path_of(EARLY, ".pgn.gz.partial"), "x");
    let held = std::fs::OpenOptions::new().append(true).open(&partial).expect("a file");
    held.lock().expect("a lock");
    let server = fishtest(right);
    let summary = server.download(&place, "").ok().json();
    assert_eq!((&summary["downloaded"], &summary["left_out"]["busy"]), (&json!(1), &json!(1)));
    assert_eq!(std::fs::read(&partial).expect("a file"), b"x");
}

#[test]
fn options_are_checked() {
    let place = Place::new();
    place.say("wdl download --ltc-only perhaps").fails(2, &["invalid value 'perhaps'", "--ltc-only"]);
    place.say("wdl download --time-delta=-1").fails(2, &["expected a number of at least 0"]);
    place.say("wdl download --tc-lower-limit 60 --tc-upper-limit 10").fails(1, &["no test could pass"]);
    place.say("wdl download --overwrite").fails(2, &["--missing-metadata"]);
}
