"""Tests of the documents: four folders, links that lead somewhere, dated figures.

    python3 tests/packaging/docs_test.py
"""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "resources" / "docs"
LINK = re.compile(r"\]\(([^)\s]+)\)")
MENTION = re.compile(r"resources/docs/[A-Za-z0-9_/-]+\.md")


def pages():
    return [ROOT / "README.md", ROOT / ".github" / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", text, flags=re.S))


def anchors(page):
    """The names under which a page's headings can be linked."""
    names = set()
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            names.add(words.replace(" ", "-"))
    return names


class Docs(unittest.TestCase):
    def test_there_are_four_folders(self):
        self.assertEqual(sorted(p.name for p in DOCS.iterdir()),
                         ["design", "evidence", "guide", "reference"])
        names = [p.name for p in DOCS.rglob("*.md")]
        self.assertEqual(len(names), len(set(names)), "the help dialog follows links by file name")

    def test_links_lead_to_pages_and_headings(self):
        for page in pages():
            for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
                if "://" in link:
                    continue
                file, _, anchor = link.partition("#")
                target = (page.parent / file).resolve() if file else page
                with self.subTest(page=page.relative_to(ROOT), link=link):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_sources_name_documents_that_exist(self):
        listing = subprocess.run(["git", "-C", ROOT, "grep", "-l", "resources/docs/"], check=False,
                                 capture_output=True, text=True)
        if listing.returncode:
            self.skipTest("no git checkout")
        for name in listing.stdout.splitlines():
            if not (ROOT / name).exists():
                continue
            for mention in MENTION.findall((ROOT / name).read_text(encoding="utf-8")):
                with self.subTest(file=name, document=mention):
                    self.assertTrue((ROOT / mention).exists())

    def test_every_page_can_be_reached_from_the_readme(self):
        seen, waiting = set(), [ROOT / "README.md"]
        while waiting:
            page = waiting.pop()
            if page in seen or page.suffix != ".md":
                continue
            seen.add(page)
            for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
                target = (page.parent / link.partition("#")[0]).resolve()
                if "://" not in link and target.is_file():
                    waiting.append(target)
        for page in pages():
            with self.subTest(page=page.relative_to(ROOT)):
                self.assertIn(page, seen)

    def test_evidence_has_dates(self):
        for page in sorted((DOCS / "evidence").glob("*.md")):
            if page.name != "expectations.md":  # tests by name, no figures
                with self.subTest(page=page.name):
                    self.assertRegex(page.read_text(encoding="utf-8"), r"20\d\d|not recorded")

    def test_lines_of_the_readmes_tables_are_short(self):
        for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines():
            if line.startswith("|"):
                self.assertLessEqual(len(line), 160, line)


if __name__ == "__main__":
    unittest.main()
