"""Which metadata record types and versions a run has shown."""
import json
import re
from pathlib import Path

from . import home

MIXED = "mixed"
TABLE = home.HERE.parent / "tests" / "facts" / "metadata_records.tsv"


def covered(records: list[dict]) -> dict[str, dict[str, int]]:
    """Type -> version -> count, by the names that the dump uses."""
    answer: dict[str, dict[str, int]] = {}
    for record in records:
        versions = answer.setdefault(record["type"], {})
        version = str(record.get("version"))
        versions[version] = versions.get(version, 0) + 1
    return {k: dict(sorted(answer[k].items())) for k in sorted(answer)}


def dump_name(name: str) -> str:
    """RegisterBrokerRecord -> REGISTER_BROKER_RECORD."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()


def branch_of(spec: dict) -> str:
    """The branch whose servers a cell ran, or `mixed`."""
    releases = {a["version"] for a in spec["actions"] if "start" in a and "version" in a} | {spec["version"]}
    return spec["version"].rsplit(".", 1)[0] if len(releases) == 1 else MIXED


def wanted(branch: str) -> dict[str, str]:
    """Record type -> valid versions of a branch, from the fact table."""
    if branch == MIXED:
        return {}
    head, *rows = [line.split("\t") for line in TABLE.read_text().splitlines()]
    column = head.index(f"valid_{branch}")
    return {dump_name(r[1]): r[column] for r in rows if r[0] == "record" and r[column] != "-"}


def report(results: list[tuple[str, dict]]) -> str:
    """One line per record type: versions seen, by cell group and release."""
    lines, seen = [], {}
    for branch, result in results:
        for kind, versions in result["covered"].items():
            for version, count in versions.items():
                at = seen.setdefault(kind, {}).setdefault(branch, {})
                at[version] = at.get(version, 0) + count
    branches = sorted({b for b, _ in results})
    lines.append("\t".join(["record", *branches]))
    every = {k for b in branches for k in wanted(b)}
    for kind in sorted(every | set(seen)):
        cells = []
        for branch in branches:
            valid = wanted(branch).get(kind)
            found = seen.get(kind, {}).get(branch, {})
            text = " ".join(f"v{v}:{n}" for v, n in sorted(found.items())) or ("-" if valid is None else "none")
            cells.append(text)
        lines.append("\t".join([kind, *cells]))
    return "\n".join(lines) + "\n"


COLUMNS = ("id", "title", "actions", "not_ok", "batches", "end_offset", "truncated_batches", "checkpoints", "saves",
           "servers_ended_by_themselves", "record_types", "failure")


def row(result: dict) -> list[str]:
    actions = result["actions"]
    shown = [b for a in actions for b in a["records"]] + result["between_actions"]
    return [result["id"], result["title"], str(len(actions)), " ".join(str(a["n"]) for a in actions if not a["ok"]) or "-",
            str(len(shown)), str(max((b["offset"] + len(b["records"]) for b in shown), default=0)),
            str(sum(len(a.get("truncated", [])) for a in actions)), str(len(result["checkpoints"])),
            " ".join(result["directories"]),
            " ".join(f"{s['node']}@{s['version']}" for s in result["servers"] if s.get("exit_code") == 1) or "-",
            str(len(result["covered"])), result["failure"] or "-"]


def write_lived_index(root: Path) -> int:
    """INDEX.tsv and COVERAGE.tsv of stored lived-in cells."""
    cells = [(json.loads((d.parent / "spec.json").read_text()), json.loads(d.read_text()))
             for d in sorted(root.glob("*/result.json"))]
    lines = [list(COLUMNS), *[row(result) for _, result in cells]]
    (root / "INDEX.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
    (root / "COVERAGE.tsv").write_text(report([(branch_of(spec), result) for spec, result in cells]))
    return len(cells)
