"""What kind of refusal a message is: the same words for what Kafka says and for what kraftsim says.

A row of kinds.tsv is a kind, a pattern of Kafka's messages, and one of kraftsim's (`-` where kraftsim says it in the words of a row before). What the
patterns capture (a key, an option) belongs to the kind. The first row that matches counts.
"""
import pathlib
import re

TABLE = pathlib.Path(__file__).with_name("kinds.tsv")
ROWS = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]]
PATTERNS = [(kind, re.compile(kafka, re.M), re.compile(ours, re.M) if ours != "-" else None) for kind, kafka, ours in ROWS]
TRACE = re.compile(r"^ERROR [\s\S]*^\s+(?:at |\.\.\. ).*\n", re.M)
NOISE = re.compile(r"^(?:Formatting |Bootstrap metadata: |WARN |I/O error trying|ERROR |\[).*\n?", re.M)


def first(text, which):
    for row in PATTERNS:
        pattern = row[which]
        found = pattern and pattern.search(text)
        if found:
            keys = [key for key in found.groups() if key]
            return " ".join([row[0], *keys])
    return "? " + text.strip()[:200]


def of_kafka(output):
    return first(NOISE.sub("", TRACE.sub("", output)), 1)


def without_keys(kind):
    """The first column of the row."""
    rows = [row for row, _, _ in ROWS if kind == row or kind.startswith(row + " ")]
    return max(rows, key=len, default=kind)


def of_kraftsim(output):
    return first(output, 2)


def same(kafka, ours):
    """Whether two kinds are one; a value whose key Kafka does not name is that of any key."""
    if kafka == "value broker.id":  # kraftsim names the key that stands in the file
        ours = ours.replace("node.id", "broker.id")
    return kafka == ours or (kafka == "value" and ours.startswith("value "))
