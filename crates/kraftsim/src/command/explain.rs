//! Releases, rules and quirks in plain words.

mod page;

use clap::Args;
use releases::{QUIRKS, Quirk, Release, RuleRow, Rules};
use serde_json::{Value, json};

use crate::console::Tone;
use crate::output_args::{OutputArgs, OutputForm};
use crate::{CommandError, Console, Diagnosis, Exit};

/// Arguments of `kraftsim explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArgs {
    /// A release (4.0.2), a rule (`controller.empty_log_test`, or `empty_log_test`), or a quirk (KAFKA-20839); everything
    /// there is by default
    #[arg(value_name = "RELEASE|RULE|QUIRK")]
    pub subject: Option<String>,
    /// Print all of it as one Markdown page: docs/releases.md
    #[arg(long, conflicts_with_all = ["subject", "json"])]
    pub page: bool,
    /// How to print it.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What can be explained.
enum Subject {
    Everything,
    Release(Release),
    Rule(Vec<RuleRow>),
    Quirk(&'static Quirk),
}

/// Runs the command.
pub fn run(args: &ExplainArgs, console: &mut Console) -> Result<Exit, CommandError> {
    if args.page {
        write!(console.out, "{}", page::page())?;
        return Ok(Exit::Held);
    }
    let subject = find(args.subject.as_deref())?;
    match args.output.form() {
        OutputForm::Json => crate::json::print(console, &document(&subject))?,
        OutputForm::Text => tell(&subject, console)?,
    }
    Ok(Exit::Held)
}

fn find(subject: Option<&str>) -> Result<Subject, Diagnosis> {
    let Some(name) = subject else {
        return Ok(Subject::Everything);
    };
    if let Ok(release) = name.parse() {
        return Ok(Subject::Release(release));
    }
    if let Ok(quirk) = Quirk::named(name) {
        return Ok(Subject::Quirk(quirk));
    }
    let rules: Vec<RuleRow> = any_rules()
        .rows()
        .into_iter()
        .filter(|row| row.name == name || full_name(row) == name)
        .collect();
    if !rules.is_empty() {
        return Ok(Subject::Rule(rules));
    }
    let mut names: Vec<String> = any_rules().rows().iter().map(full_name).collect();
    names.extend(any_rules().rows().iter().map(|row| row.name.to_owned()));
    names.extend(Release::ALL.map(|release| release.name().to_owned()));
    names.extend(QUIRKS.iter().map(|quirk| quirk.id.to_owned()));
    let nearest = releases::nearest(name, names.iter().map(String::as_str));
    Err(Diagnosis::new("no release, rule or quirk has this name")
        .found(name)
        .expected(format!("such as {nearest}"))
        .advice("kraftsim explain, without a name, lists them all"))
}

/// Every rule exists in every release; only the behaviours differ.
fn any_rules() -> Rules {
    Release::V4_4_0.rules()
}

fn full_name(row: &RuleRow) -> String {
    format!("{}.{}", row.room, row.name)
}

fn tell(subject: &Subject, console: &mut Console) -> Result<(), CommandError> {
    match subject {
        Subject::Everything => tell_everything(console),
        Subject::Release(release) => tell_release(*release, console),
        Subject::Rule(rows) => rows.iter().try_for_each(|row| tell_rule(row, console)),
        Subject::Quirk(quirk) => tell_quirk(quirk, console),
    }
}

fn tell_everything(console: &mut Console) -> Result<(), CommandError> {
    writeln!(console.out, "{}", console.paint(Tone::Strong, "releases"))?;
    writeln!(
        console.out,
        "  {}",
        Release::ALL.map(Release::name).join(" ")
    )?;
    writeln!(console.out, "{}", console.paint(Tone::Strong, "rules"))?;
    for row in any_rules().rows() {
        writeln!(console.out, "  {:<44} {}", full_name(&row), row.question)?;
    }
    writeln!(console.out, "{}", console.paint(Tone::Strong, "quirks"))?;
    for quirk in QUIRKS {
        writeln!(
            console.out,
            "  {:<12} {}: {}",
            quirk.id,
            affected(quirk),
            quirk.summary
        )?;
    }
    Ok(())
}

fn tell_release(release: Release, console: &mut Console) -> Result<(), CommandError> {
    let rules = release.rules();
    writeln!(
        console.out,
        "{}",
        console.paint(Tone::Strong, &release.title())
    )?;
    let table = rules.features;
    let name = |version| {
        table
            .metadata_version(version)
            .map_or("?", |info| info.name)
    };
    writeln!(
        console.out,
        "metadata.version {} to {}, {} at most for production",
        name(table.minimum_supported),
        name(table.latest_testing),
        name(table.latest_production)
    )?;
    let mut room = "";
    for row in rules.rows() {
        if row.room != room {
            room = row.room;
            writeln!(console.out, "\n{}", console.paint(Tone::Strong, room))?;
        }
        writeln!(console.out, "  {}", row.question)?;
        writeln!(console.out, "    {}", row.behaviour.sentence)?;
    }
    let quirks: Vec<&Quirk> = rules.quirks().collect();
    if !quirks.is_empty() {
        writeln!(
            console.out,
            "\n{}",
            console.paint(Tone::Strong, "known bugs")
        )?;
        for quirk in quirks {
            writeln!(console.out, "  {}: {}", quirk.id, quirk.summary)?;
        }
    }
    Ok(())
}

fn tell_rule(row: &RuleRow, console: &mut Console) -> Result<(), CommandError> {
    writeln!(
        console.out,
        "{}: {}",
        console.paint(Tone::Strong, &full_name(row)),
        row.question
    )?;
    for behaviour in row.behaviours {
        let followers: Vec<&str> = Release::ALL
            .into_iter()
            .filter(|release| in_force(row, *release).name == behaviour.name)
            .map(Release::name)
            .collect();
        let followers = if followers.is_empty() {
            "no release".to_owned()
        } else {
            followers.join(" ")
        };
        writeln!(console.out, "  {} ({followers})", behaviour.name)?;
        writeln!(console.out, "    {}", behaviour.sentence)?;
    }
    for quirk in QUIRKS.iter().filter(|quirk| quirk.field == full_name(row)) {
        writeln!(
            console.out,
            "  {} ({}) {}",
            quirk.id,
            affected(quirk),
            quirk.summary
        )?;
    }
    writeln!(console.out, "  source: {}", row.source)?;
    Ok(())
}

fn tell_quirk(quirk: &Quirk, console: &mut Console) -> Result<(), CommandError> {
    writeln!(console.out, "{}", console.paint(Tone::Strong, quirk.id))?;
    writeln!(console.out, "  {}", quirk.summary)?;
    writeln!(console.out, "  releases that have it: {}", affected(quirk))?;
    writeln!(console.out, "  it decides {}", quirk.field)?;
    writeln!(console.out, "  source: {}", quirk.source)?;
    if let Some(scenario) = quirk.scenario {
        writeln!(console.out, "  to be seen in {scenario}")?;
    }
    writeln!(
        console.out,
        "  mended with --without {0}, planted into other releases with --with {0}",
        quirk.id
    )?;
    Ok(())
}

fn affected(quirk: &Quirk) -> String {
    let names: Vec<&str> = quirk.affects.iter().map(|release| release.name()).collect();
    if names.is_empty() {
        "no release".to_owned()
    } else {
        names.join(" ")
    }
}

fn in_force(rule: &RuleRow, release: Release) -> &'static releases::Behaviour {
    let rows = release.rules().rows();
    let row = rows.iter().find(|row| full_name(row) == full_name(rule));
    row.expect("every rule exists in every release").behaviour
}

fn document(subject: &Subject) -> Value {
    match subject {
        Subject::Everything => json!({
            "releases": Release::ALL.map(Release::name),
            "rules": any_rules().rows().iter().map(full_name).collect::<Vec<_>>(),
            "quirks": QUIRKS.iter().map(|quirk| quirk.id).collect::<Vec<_>>(),
        }),
        Subject::Release(release) => {
            let rules = release.rules();
            let rows = rules.rows();
            let rows = rows.iter().map(|row| {
                json!({ "rule": full_name(row), "question": row.question, "behaviour": row.behaviour.name,
                    "sentence": row.behaviour.sentence, "source": row.source })
            });
            json!({
                "release": release.name(),
                "rules": rows.collect::<Vec<_>>(),
                "quirks": rules.quirks().map(|quirk| quirk.id).collect::<Vec<_>>(),
            })
        }
        Subject::Rule(rows) => {
            json!({ "rules": rows.iter().map(rule_document).collect::<Vec<_>>() })
        }
        Subject::Quirk(quirk) => json!({
            "quirk": quirk.id,
            "summary": quirk.summary,
            "affects": quirk.affects.iter().map(|release| release.name()).collect::<Vec<_>>(),
            "decides": quirk.field,
            "source": quirk.source,
            "scenario": quirk.scenario,
        }),
    }
}

fn rule_document(row: &RuleRow) -> Value {
    let behaviours = row.behaviours.iter().map(|behaviour| {
        let releases = Release::ALL
            .into_iter()
            .filter(|release| in_force(row, *release).name == behaviour.name);
        json!({ "name": behaviour.name, "sentence": behaviour.sentence,
            "releases": releases.map(Release::name).collect::<Vec<_>>() })
    });
    json!({
        "rule": full_name(row),
        "question": row.question,
        "behaviours": behaviours.collect::<Vec<_>>(),
        "source": row.source,
    })
}
