"""The report of tests/gpu.sh.

    report.py PART WORK - --stage NAME ...    appends a stage's verdict to WORK/stages.jsonl
    report.py PART WORK OUT [--last]          writes OUT/PART.md and PART.json, and at the end
                                              PART-performance.md and PART-logs.tar.gz
    report.py PART WORK OUT --verdict         exit status: 0, 1 something failed, 3 no card
"""

import argparse
import json
import pathlib
import sys
import tarfile

NOT_RUN = 77
LOG_LINES, LOG_BYTES = 40, 1 << 20


def tail(path, lines):
    text = path.read_text(errors="replace") if path.exists() else ""
    clean = "".join(c if c == "\n" or " " <= c <= "~" else "?" for c in text)
    return [line[:240].replace("```", "` ` `") for line in clean.splitlines()[-lines:]]


def total(path):
    """Sums of the processes' counts, or none if no process of the stage had a card."""
    sums = {"launches": 0, "recordings": 0, "replays": 0}
    for line in path.read_text().splitlines() if path.exists() else ():
        for name, count in json.loads(line).items():
            sums[name] += count
    return sums


def add_stage(options):
    log = options.work / "logs" / f"{options.stage}.log"
    counts = total(options.work / "logs" / f"{options.stage}.counts")
    if options.status == NOT_RUN:
        verdict, reason = "not run", (tail(log, 1) or ["no reason given"])[0]
    elif options.status != 0:
        verdict, reason = "failed", options.reason or f"exit status {options.status}"
    elif options.kernels == "yes" and counts["launches"] == 0:
        verdict, reason = "failed", "launched no kernel"
    else:
        verdict, reason = "passed", ""
    row = {"part": options.part, "stage": options.stage, "title": options.title, "verdict": verdict, "reason": reason,
           "seconds": options.seconds, "budget": options.budget, **counts}
    with open(options.work / "stages.jsonl", "a") as file:
        file.write(json.dumps(row) + "\n")
    print(f"{options.part} {options.stage}: {verdict}{': ' * bool(reason)}{reason}, {options.seconds} of {options.budget} s, "
          f"{counts['launches']:,} launches", flush=True)


def read_stages(work):
    path = work / "stages.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def markdown(part, work, stages):
    machine = (work / "machine").read_text().splitlines() if (work / "machine").exists() else []
    text = [f"# GPU report, part {part}", "", "; ".join(machine), "",
            "| stage | verdict | seconds | launches | recordings | replays |", "|---|---|---|---|---|---|"]
    for s in stages:
        verdict = s["verdict"] if s["verdict"] != "failed" else "**failed**"
        reason = ": " + s["reason"].replace("|", "/") if s["reason"] else ""
        text.append(f"| {s['part']} {s['title']} | {verdict}{reason} | {s['seconds']} of {s['budget']} | "
                    f"{s['launches']:,} | {s['recordings']:,} | {s['replays']:,} |")
    for s in stages:
        text += ["", f"## {s['title']}", ""]
        table = work / f"{s['stage']}.md"
        if table.exists():
            text += table.read_text().splitlines() + [""]
        text += ["```text", *tail(work / "logs" / f"{s['stage']}.log", LOG_LINES), "```"]
    return "\n".join(text) + "\n"


def performance(work, stages):
    text = (work / "machine").read_text().splitlines()[:1]
    for s in stages:
        table = work / f"{s['stage']}.md"
        if table.exists():
            text += ["", f"### {s['title']}", "", table.read_text().rstrip()]
    return "\n".join(text) + "\n"


def write(path, text):
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text)
    part.replace(path)


def pack_logs(work, out):
    for log in (work / "logs").iterdir():
        if log.stat().st_size > 2 * LOG_BYTES:
            data = log.read_bytes()
            log.write_bytes(data[:LOG_BYTES] + b"\n[...]\n" + data[-LOG_BYTES:])
    with tarfile.open(out, "w:gz") as archive:
        archive.add(work / "logs", "logs")
        for more in (*work.glob("profile-*.tsv"), *(work / f"{t}.json" for t in ("table", "images", "fp8"))):
            if more.exists():
                archive.add(more, more.name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("part")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--last", action="store_true")
    parser.add_argument("--verdict", action="store_true")
    for name in ("stage", "title", "kernels", "reason"):
        parser.add_argument(f"--{name}", default="")
    for name in ("budget", "seconds", "status"):
        parser.add_argument(f"--{name}", type=int, default=0)
    options = parser.parse_args()
    if options.stage:
        return add_stage(options)
    work, out, part = options.work, options.out, options.part
    stages = read_stages(work)
    failed = sum(s["verdict"] == "failed" for s in stages)
    if options.verdict:
        no_card = all(s["verdict"] == "not run" for s in stages if s["stage"] != "devices")
        print(f"{sum(s['verdict'] == 'passed' for s in stages)} passed, {failed} failed, "
              f"{sum(s['verdict'] == 'not run' for s in stages)} not run")
        sys.exit(1 if failed else 3 if no_card else 0)
    write(out / f"{part}.md", markdown(part, work, stages))
    tables = {t: json.loads((work / f"{t}.json").read_text()) for t in ("images", "table", "fp8")
              if (work / f"{t}.json").exists()}
    write(out / f"{part}.json", json.dumps({"part": part, "stages": stages, "tables": tables}))
    if options.last and (work / "machine").exists():
        write(out / f"{part}-performance.md", performance(work, stages))
        pack_logs(work, out / f"{part}-logs.tar.gz")


if __name__ == "__main__":
    main()
