//! `docs/releases.md` is what the data says. `SNAPSHOTS=overwrite cargo test -p kraftsim-tests --test releases_page`
//! writes it anew.

use kraftsim::{Console, Exit, Style};
use kraftsim_tests::repository;
use snapbox::{Data, assert_data_eq};

#[test]
fn the_page_is_printed_from_the_data() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = kraftsim::run(
        ["kraftsim", "explain", "--page"],
        &mut Console::new(&mut out, &mut err, Style::Plain),
    );
    assert_eq!((exit, err.as_slice()), (Exit::Held, &[][..]));
    let page = String::from_utf8(out).unwrap();
    assert_data_eq!(
        page,
        Data::read_from(&repository::root().join("docs/releases.md"), None).raw()
    );
}
