//! The bytes shown in docs/formats.md are those of the files that it names.

use kraftsim_tests::kafka_files::in_archive;
use kraftsim_tests::repository::root;

#[test]
fn the_bytes_on_the_page_are_those_of_the_files() {
    let page = std::fs::read_to_string(root().join("docs/formats.md")).expect("the page is there");
    let mut checked = 0;
    for block in page.split("\n```bytes ").skip(1) {
        let (place, rest) = block
            .split_once('\n')
            .expect("a block begins with its file");
        let (lines, _) = rest.split_once("```").expect("a block ends");
        let (path, name) = place.split_once(' ').expect("an archive and a file in it");
        let files = in_archive(&root().join(path));
        let (_, content) = files
            .iter()
            .find(|(path, _)| path == name)
            .expect("the file is in it");
        let digits: String = lines
            .lines()
            .flat_map(|line| {
                line.split('#')
                    .next()
                    .unwrap_or_default()
                    .split_whitespace()
            })
            .collect();
        let pairs = digits
            .as_bytes()
            .chunks(2)
            .map(|pair| String::from_utf8_lossy(pair));
        let shown: Vec<Option<u8>> = pairs.map(|p| u8::from_str_radix(&p, 16).ok()).collect();
        let found: Vec<Option<u8>> = content.iter().copied().map(Some).collect();
        assert_eq!(shown, found, "{place}");
        checked += 1;
    }
    assert!(checked > 0, "the page shows bytes");
}
