"""Messages as bytes, made by Kafka's generated classes (driver/Wire.java)."""
import json
import subprocess
from pathlib import Path

from . import home

SOURCE = home.HERE / "driver" / "Wire.java"


def compiled(version: str) -> Path:
    """The classes for a release, compiled once."""
    target = home.libs(version).parent / "wire"
    made = target / "Wire.class"
    if not made.exists() or made.stat().st_mtime < SOURCE.stat().st_mtime:
        target.mkdir(exist_ok=True)
        subprocess.run(["javac", "-nowarn", "-Xlint:none", "-proc:none", "-cp", f"{home.libs(version)}/*",
                        "-d", str(target), str(SOURCE)], check=True)
    return target


def written(version: str, samples: Path) -> list[dict]:
    """Every sample in every version that the release speaks."""
    java, *rest = home.command(version, "Wire")
    at = rest.index("-cp")
    rest[at + 1] = f"{compiled(version)}:{rest[at + 1]}"
    with open(samples, "rb") as lines:
        done = subprocess.run([java, *rest], stdin=lines, stdout=subprocess.PIPE, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def record(versions: list[str], samples: Path) -> list[str]:
    """JSON lines, those that several releases write alike only once, with the releases."""
    releases: dict[str, list[str]] = {}
    for version in versions:
        for found in written(version, samples):
            releases.setdefault(json.dumps(found, separators=(",", ":")), []).append(version)
    rows = [json.loads(line) | {"releases": by} for line, by in releases.items()]
    rows.sort(key=lambda row: (row["api"], row["side"], row["version"], row["name"], row["releases"]))
    return [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in rows]
