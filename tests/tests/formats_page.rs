//! The bytes shown in docs/formats.md are those of the files that it names.

use bytes::Bytes;
use kraftsim::archive;
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
        let packed = Bytes::from(std::fs::read(root().join(path)).expect("the archive is there"));
        let packing = archive::packing(&packed).expect("it is an archive");
        let files = archive::read(packing, &packed).files;
        let file = files
            .iter()
            .find(|file| file.path == name)
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
        let found: String = file
            .content
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(digits, found, "{place}");
        checked += 1;
    }
    assert!(checked > 0, "the page shows bytes");
}
