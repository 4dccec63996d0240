#!/usr/bin/env python3
"""many.py ORACLE RELEASE: many schedules through the driver of Kafka's own classes, in one JVM.

ORACLE is the folder with the driver (oracle/ in this repository). Schedules come in on standard input, each ended by a line
"---"; the answers go out the same way. KAFKA_ORACLE_LOG=FILE keeps what Kafka logs.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, sys.argv[1])

from kafka_oracle import drive, home  # noqa: E402


def compiled(version: str) -> Path:
    """Our classes, compiled once against the driver's."""
    sources = [HERE / "Many.java", HERE / "One.java"]
    driver = drive.compiled(version)
    target = home.libs(version).parent / f"drive-many-{drive.digest([drive.SOURCE, *sources])}"
    if not (target / "One.class").exists():
        fresh = Path(tempfile.mkdtemp(prefix="drive-many-", dir=target.parent))
        subprocess.run(["javac", "-nowarn", "-XDignore.symbol.file", "-proc:none", "-cp", f"{driver}:{home.libs(version)}/*", "-d", str(fresh),
                        *map(str, sources)], check=True)
        drive.settle(fresh, target)
    return target


def main() -> int:
    version = sys.argv[2]
    ours = compiled(version)
    java, *rest = home.command(version, "Many", log4j="log4j2.xml")
    at = rest.index("-cp")
    rest[at + 1] = f"{ours}:{rest[at + 1]}"
    with tempfile.TemporaryDirectory(prefix="kafka-oracle-many-") as scratch:
        with open(os.environ.get("KAFKA_ORACLE_LOG", os.devnull), "wb") as log:
            return subprocess.call([java, *drive.with_memory(rest), scratch, f"{drive.compiled(version)}:{ours}"], stderr=log)


sys.exit(main())
