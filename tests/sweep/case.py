"""Runs one drawn case with the real tool of a release and with kraftsim, in the same working directory, and keeps what each did."""
import base64
import calendar
import os
import pathlib
import re
import shutil
import struct
import subprocess
import time

ZERO = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
WRITTEN = r"^Formatting .*?directory (.*) with metadata\.version "
SALTLESS = re.compile(r"SCRAM-SHA-\d+ *= *\[(?!.*salt *=)")


class Place:
    """The working directory, with a configuration beside it."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.work = self.root / "w"
        self.config = self.root / "server.properties"

    def prepare(self, case):
        """Empties the directory (which stays the same inode: a JVM works in it) and makes what the case has before."""
        self.work.mkdir(parents=True, exist_ok=True)
        for entry in self.work.iterdir():
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        self.config.write_bytes(self.filled(case["properties"]).encode("latin-1"))
        (self.work / "server.properties").write_bytes(self.config.read_bytes())
        (self.work / "file").write_text("a file")
        (self.work / "loop").symlink_to("loop")
        (self.work / "dangling").symlink_to("nowhere")
        (self.work / "target").mkdir()
        (self.work / "link").symlink_to("target")
        for step in case["before"]:
            self.step(step)
        self.found = self.files()

    def step(self, step):
        path = self.work / step.get("mkdir", step.get("write", step.get("link")))
        try:
            if "mkdir" in step:
                path.mkdir(parents=True, exist_ok=True)
            elif "link" in step:
                path.symlink_to(step["to"])
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.filled(step["text"]).encode("latin-1", "replace"))
        except OSError:  # an earlier step stands in the way
            pass

    def filled(self, text):
        return text.replace("@W@", str(self.work)).replace("@C@", str(self.config))

    def arguments(self, case):
        return [self.filled(argument) for argument in case["args"]]

    def files(self):
        found = {}
        for folder, folders, names in os.walk(self.work):
            for name in names + folders:
                path = pathlib.Path(folder) / name
                key = str(path.relative_to(self.work))
                if path.is_symlink():
                    found[key] = b"-> " + os.readlink(path).encode()
                elif path.is_dir():
                    found[key + "/"] = b""
                else:
                    found[key] = path.read_bytes()
        return found


def readings(directory):
    """The readings of the clock in a formatted directory, in the order in which they were taken."""
    found = []
    for name in ("bootstrap.checkpoint", ZERO):
        path = directory / name
        if not path.is_file():
            continue
        content, at = path.read_bytes(), 0
        if len(content) < 81:
            continue
        if name == ZERO:
            found.append(struct.unpack_from(">q", content, 73)[0])
        while at + 35 < len(content):
            found.append(struct.unpack_from(">q", content, at + 27)[0])
            at += 12 + struct.unpack_from(">i", content, at + 8)[0]
    lines = (directory / "meta.properties").read_text("latin-1").splitlines() if (directory / "meta.properties").is_file() else []
    if len(lines) > 1 and lines[1].startswith("#"):
        found.append(1000 * calendar.timegm(time.strptime(lines[1], "#%a %b %d %H:%M:%S UTC %Y")))
    return found


def given(place, output, arguments):
    """The options that hand kraftsim the ids and times of what the real tool wrote."""
    options = []
    stated = " ".join(arguments)
    names = re.findall(WRITTEN, output, re.M)
    if len({os.path.realpath(place.work / name) for name in names}) < len(names):
        return []  # of a directory that is written twice, the second writing alone is left
    for written in names:
        directory = place.work / written
        meta = directory / "meta.properties"
        found = re.search(r"^directory\.id=(\S+)$", meta.read_text("latin-1"), re.M) if meta.is_file() else None
        if found and found[1] not in stated:
            options += [f"--directory-id={written}={found[1]}"]
        options += [f"--timestamp-ms={reading}" for reading in readings(directory)]
    return options


def with_kafka(driver, place, case):
    """Exit code, output and files of the real tool, and what kraftsim is to be given."""
    place.prepare(case)
    arguments = place.arguments(case)
    code, output = driver.call("kafka.tools.StorageTool", "format", *arguments)
    return {"exit": code, "output": output, "files": place.files(), "given": given(place, output, arguments)}


def with_kraftsim(program, release, place, case, options):
    place.prepare(case)
    environment = {**os.environ, "SWEEP_ID": "5"}
    done = subprocess.run([program, "format", *place.arguments(case), "--kafka", release, *options], cwd=place.work, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    return {"exit": done.returncode, "output": done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace"), "files": place.files()}


# What a test in one process cannot repeat: paths relative to the working directory, the environment, what stands outside.
ELSEWHERE = re.compile(r"=\s*(?:rel|\./|~/|\.$)|SWEEP_ID|/proc/self|/tmp/kafka-logs", re.M)


def recorded(place, case, kafka, kind, by_name_alone):
    """A case and the real tool's answer, for tests/fixtures/format-sweep; None where the answer hangs on the place."""
    written = [os.path.join(place.work, name) for name in re.findall(WRITTEN, kafka["output"], re.M)]
    if kind == "disk" and re.search(r"^log\.dirs?=.*,", case["properties"], re.M):
        return None  # which directories came before the one that failed hangs on their paths
    stated = case["properties"] + "\n" + "\n".join(case["args"]) + "\n" + kafka["output"]
    if ELSEWHERE.search(stated) or "./server.properties" in case["args"] or any(not name.startswith(str(place.work) + "/") for name in written):
        return None
    options = [option.replace(str(place.work), "@W@") for option in kafka["given"]]
    # Several directories are formatted in an order that hangs on their paths, and so do their readings of the clock.
    by_name_alone = by_name_alone or len(written) > 1
    files = {name: None if by_name_alone else base64.b64encode(content).decode() for name, content in sorted(kafka["files"].items()) if place.found.get(name) != content}
    gone = sorted(set(place.found) - set(kafka["files"]))
    return {**case, "given": options, "exit": kafka["exit"], "kind": kind, "files": files, "gone": gone}
