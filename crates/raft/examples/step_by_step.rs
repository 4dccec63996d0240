//! Compares recorded schedules with what the replicas here do: `step_by_step RECORDING…`.

#[path = "../tests/drive/mod.rs"]
mod drive;

fn main() {
    let (mut agreed, mut differed) = (0, 0);
    for path in std::env::args().skip(1) {
        let recording = std::fs::read_to_string(&path).expect("a recording can be read");
        match drive::replay(&recording) {
            Ok(lines) => {
                agreed += 1;
                println!("agrees  {path}: {lines} commands");
            }
            Err(difference) => {
                differed += 1;
                println!("differs {path}: {difference}");
            }
        }
    }
    println!("{agreed} agree, {differed} differ");
}
