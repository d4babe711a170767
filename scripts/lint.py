#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the rules of this source tree that a compiler does not.

usage: lint.py [--root DIR] [--rule NAME]... [--list]

Prints one line a violation, "file:line: rule: what", and exits with 1 if there was any. A line that begins with "note:"
is an outlier worth a look, no violation. Each rule is a function below, with its reason in its first line, and each has
a planted failure in tests/cli/lint.bats.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

# Who may include whom, besides itself. "engine" is the facade, engine/engine.h, and what stands beside it.
LAYERS = {
    "engine/base": "",
    "engine/board": "engine/base",
    "engine/eval": "engine/base engine/board",
    "engine/search": "engine/base engine/board engine/eval",
    "engine": "engine/base engine/board engine/eval engine/search",
    "engine/proto": "engine/base engine/board engine",
    "harness/stats": "engine/base",
    "harness/record": "engine/base engine/board",
    "harness/store": "engine/base engine/board harness/record",
    "harness/play": "engine/base engine/board engine engine/proto harness/stats harness/record",
    "harness/tune": "engine/base engine/board engine harness/stats harness/record harness/play harness/store",
    "harness/study": "engine/base engine/board engine harness/stats harness/record harness/play harness/store",
    "harness/report": "engine/base engine/board harness/stats harness/record harness/store",
    "harness/cli": "engine/base engine/board engine engine/proto harness/stats harness/record harness/store "
    "harness/play harness/tune harness/study harness/report",
}
LAYERS = {layer: allowed.split() for layer, allowed in LAYERS.items()}
FACADE_HEADER = ("engine/engine.h", ["engine/base", "engine/board"])  # its users must not see the search

# Libraries of the system, and the only layers that know them.
SYSTEM_HEADERS = {
    "sqlite3.h": ["harness/store"],
    "yaml.h": ["harness/cli"],
    "threads.h": [],  # POSIX threads, everywhere
    "assert.h": [],  # CHECK and ASSERT print what they know and work in every build
}

BANNED = {  # name -> what to use
    "sprintf": "snprintf", "vsprintf": "vsnprintf", "strcpy": "text_append", "strcat": "text_append",
    "strtok": "strcspn", "atoi": "text_parse_int", "atol": "text_parse_int", "atof": "text_parse_double",
    "gets": "getline", "rand": "rng_next", "srand": "rng_init", "alloca": "an array of fixed size",
    "setjmp": "a Status", "longjmp": "a Status", "system": "posix_spawn",
}  # fmt: skip
BANNED_IN_ENGINE = {
    "fopen": "text handed in", "printf": "text handed out", "pthread_create": "the harness's threads",
    "time": "the clock handed in", "getenv": "a parameter",
}  # fmt: skip
ENDS_PROCESS = ["exit", "abort", "quick_exit"]
MAY_END_PROCESS = ["main.c", "check.c"]

PASSES_STATUS_ON = ["error_set", "error_wrap"]  # return what they were given

CONTRACT_PERCENT = 90
FUNCTION_LINES = 100
FUNCTION_LINES_NOTE = 60
NODE_FUNCTION_LINES = 250  # one function under engine/search, the search node
FILE_LINES_NOTE = 500
PARAMETERS_NOTE = 5

# Paths of one person's machine, and what a merge leaves behind.
FOREIGN = [
    (re.compile(r"(?<![\w.*/-])/(?:home|root|work|Users|workspace)/\w"), "a path of somebody's machine"),
    (re.compile(r"^(?:<{7}|>{7}) "), "a merge conflict"),
]
CODE_ROOTS = ["engine", "harness", "tests"]
SCRIPT_ROOTS = ["scripts", "tests"]
SKIPPED_DIRS = {".git", "build", "results", "corpus"}


class Tree:
    """The files under a root, read once."""

    def __init__(self, root):
        os.chdir(root)
        self.violations = []
        self.notes = []
        self.paths = sorted(
            os.path.normpath(os.path.join(folder, name))
            for folder, _, names in os.walk(".")
            for name in names
            if not SKIPPED_DIRS.intersection(os.path.normpath(os.path.join(folder, name)).split(os.sep))
        )
        self.code = [p for p in self.paths if p.endswith((".c", ".h", ".def")) and p.split("/")[0] in CODE_ROOTS]
        self.own = [p for p in self.code if not p.startswith("tests/")]
        self.scripts = [
            p for p in self.paths if p.endswith((".sh", ".py", ".bats")) and p.split("/")[0] in SCRIPT_ROOTS
        ]
        self.text = {p: read(p) for p in self.paths}
        self.bare = {p: without_comments(self.text[p]) for p in self.code}
        self._tags = None

    def fail(self, path, line, rule, what):
        self.violations.append(f"{path}:{line}: {rule}: {what}")

    def note(self, text):
        self.notes.append(f"note: {text}")

    def find(self, pattern, path):
        """Line numbers and matches of a pattern in a C file without its comments and strings."""
        for match in re.finditer(pattern, self.bare[path], re.M):
            yield self.bare[path].count("\n", 0, match.start()) + 1, match

    def includes(self, path):
        """(line, kind, name) of every #include; kind is '<' or '"'."""
        for number, line in enumerate(self.text[path].split("\n"), 1):
            match = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
            if match:
                yield number, match[1], match[2]

    def tags(self):
        """Functions and prototypes as universal-ctags finds them: (kind, name, path, line, last line, parameters)."""
        if self._tags is None:
            command = ["ctags", "--languages=C", "--langmap=C:.c.h", "--kinds-C=pf", "--fields=+neKS", "-o", "-", "-L", "-"]
            done = subprocess.run(command, input="\n".join(self.own), capture_output=True, text=True, check=True)
            self._tags = []
            for row in done.stdout.splitlines():
                cells = row.split("\t")
                if row.startswith("!") or len(cells) < 4:
                    continue
                fields = dict(cell.split(":", 1) for cell in cells[4:] if ":" in cell)
                line = int(fields["line"])
                parameters = fields.get("signature", "").count(",") + 1
                self._tags.append((cells[3], cells[0], cells[1], line, int(fields.get("end", line)), parameters))
        return self._tags


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (UnicodeDecodeError, OSError):
        return ""  # pictures and the like


def without_comments(text):
    """C text with comments blanked and strings emptied, line breaks kept."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return token.sub(lambda m: m[0][0] * 2 if m[0][0] in "\"'" else re.sub(r"[^\n]", " ", m[0]), text)


def call_of(name):
    return rf"(?<![\w.>]){name}\s*\("


def rule_layer(tree):
    """engine/ never knows harness/, and each layer only what stands below it; include paths start at the root."""
    for path in tree.own:
        layer = os.path.dirname(path)
        if layer not in LAYERS:
            tree.fail(path, 1, "layer", f"{layer} is no layer of this tree")
            continue
        allowed = FACADE_HEADER[1] if path == FACADE_HEADER[0] else LAYERS[layer]
        for line, kind, name in tree.includes(path):
            if kind == "<":
                for header, owners in SYSTEM_HEADERS.items():
                    if name == header and not any(layer == o or layer.startswith(o + "/") for o in owners):
                        tree.fail(path, line, "layer", f"<{name}> belongs in {' '.join(owners) or 'no file'}")
            elif name not in tree.text:
                tree.fail(path, line, "layer", f'"{name}" is no path from the root of the tree')
            elif os.path.dirname(name) != layer and os.path.dirname(name) not in allowed:
                tree.fail(path, line, "layer", f'{layer} must not include "{name}"')


def rule_cycle(tree):
    """Modules (x.c with x.h) include each other in one direction only."""
    graph = {}
    for path in tree.own:
        module = os.path.splitext(path)[0]
        others = [os.path.splitext(n)[0] for _, kind, n in tree.includes(path) if kind == '"' and n in tree.text]
        graph.setdefault(module, set()).update(o for o in others if o != module)
    state = {}  # module -> "open" while on the trail, "done" after

    def visit(module, trail):
        state[module] = "open"
        for other in sorted(graph.get(module, ())):
            if state.get(other) == "open":
                circle = trail[trail.index(other) :] + [other]
                tree.fail(module + ".*", 1, "cycle", " -> ".join(circle))
            elif other not in state:
                visit(other, trail + [other])
        state[module] = "done"

    for module in sorted(graph):
        if module not in state:
            visit(module, [module])


def rule_banned(tree):
    """No function that overruns a buffer, hides an error or draws from a global; engine/ touches nothing outside."""
    for path in tree.code:
        banned = dict(BANNED)
        if path.startswith("engine/"):
            banned.update(BANNED_IN_ENGINE)
        if path.startswith("tests/"):
            banned.pop("system")
        for name, instead in banned.items():
            for line, _ in tree.find(call_of(name), path):
                tree.fail(path, line, "banned", f"{name}(): use {instead}")


def rule_exit(tree):
    """Only main.c ends the process, and check.c when a check fails: everything else returns a Status."""
    for path in tree.own:
        if os.path.basename(path) not in MAY_END_PROCESS:
            for name in ENDS_PROCESS:
                for line, _ in tree.find(call_of(name), path):
                    tree.fail(path, line, "exit", f"{name}() outside {' and '.join(MAY_END_PROCESS)}: return a Status")


def rule_contract(tree):
    """At least 90 % of the prototypes in headers say above them, or beside them, what a caller must know."""
    total, bare = 0, []
    for kind, name, path, line, _, _ in tree.tags():
        if kind == "prototype" and path.endswith(".h"):
            total += 1
            if not has_comment(tree.text[path].split("\n"), line):
                bare.append((path, line, name))
    if total and len(bare) * 100 > total * (100 - CONTRACT_PERCENT):
        for path, line, name in bare:
            tree.fail(path, line, "contract", f"{name} has no contract")
        covered = 100 * (total - len(bare)) // total
        tree.fail(".", 0, "contract", f"{covered} % of {total} prototypes documented, need {CONTRACT_PERCENT} %")
    for path, line, name in bare:
        tree.note(f"{path}:{line}: {name} has no contract")


def has_comment(lines, number):
    """Whether the prototype at line `number` (from 1) has a comment above it, without a gap, or on its line."""
    index = number - 2
    while index >= 0:
        line = lines[index].strip()
        if not line or line.startswith(("//", "#")) or line.endswith((";", "}")):
            break
        index -= 1
    return "//" in lines[number - 1] or (index >= 0 and lines[index].strip().startswith("//"))


def rule_status(tree):
    """A Status is never dropped by mistake: prototypes that return one are marked MUST_CHECK."""
    for path in tree.code:
        if path.endswith(".h"):
            for line, match in tree.find(r"^Status\s+(\w+)\([^;{]*;", path):
                if "MUST_CHECK" not in match[0] and match[1] not in PASSES_STATUS_ON:
                    tree.fail(path, line, "status", f"{match[1]} returns a Status and has no MUST_CHECK")


def rule_length(tree):
    """No function over 100 lines, but for the search node (250); notes for what is long."""
    nodes = 0
    for kind, name, path, line, last, parameters in tree.tags():
        if kind != "function":
            continue
        lines = last - line + 1
        if lines > FUNCTION_LINES:
            nodes += path.startswith("engine/search/")
            if not (path.startswith("engine/search/") and nodes == 1 and lines <= NODE_FUNCTION_LINES):
                tree.fail(path, line, "length", f"{name} has {lines} lines, at most {FUNCTION_LINES}")
        elif lines > FUNCTION_LINES_NOTE:
            tree.note(f"{path}:{line}: {name} has {lines} lines")
        if parameters > PARAMETERS_NOTE:
            tree.note(f"{path}:{line}: {name} has {parameters} parameters")
    for path in tree.own:
        lines = tree.text[path].count("\n")
        if lines > FILE_LINES_NOTE:
            tree.note(f"{path}: {lines} lines")


def rule_head(tree):
    """A file begins with its licence, then a comment that says its one job; headers have #pragma once."""
    for path in tree.code + tree.scripts:
        mark, head = ("//", 0) if path in tree.code else ("#", 1)
        lines = tree.text[path].split("\n") + ["", "", ""]
        if not lines[head].startswith("#!") and path in tree.scripts:
            head = 0 if lines[0].startswith("# SPDX") else 1
        if lines[head] != f"{mark} SPDX-License-Identifier: GPL-3.0-or-later":
            tree.fail(path, head + 1, "head", "no SPDX-License-Identifier: GPL-3.0-or-later at the top")
        elif not re.match(rf'{mark} \S|"""\S', lines[head + 1]):
            tree.fail(path, head + 2, "head", "no comment that says what the file is for")
        if path.endswith(".h") and "\n#pragma once\n" not in tree.text[path]:
            tree.fail(path, 1, "head", "no #pragma once")


def rule_comment(tree):
    """One kind of comment, //."""
    for path in tree.code:
        stripped = re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"', lambda m: "", tree.text[path])
        at = stripped.find("/*")
        if at >= 0:
            tree.fail(path, stripped.count("\n", 0, at) + 1, "comment", "block comment: write //")


def rule_unique(tree):
    """A name of a file says which: no other directory has a C file of the same name."""
    seen = {}
    for path in tree.code:
        folder, name = os.path.split(os.path.splitext(path)[0])
        if seen.setdefault(name, folder) != folder:
            tree.fail(path, 1, "unique", f"{seen[name]} has a file named {name}, too")


def rule_foreign(tree):
    """The tree speaks of itself only."""
    for path in tree.paths:
        for number, line in enumerate(tree.text[path].split("\n"), 1):
            for pattern, what in FOREIGN:
                if pattern.search(line):
                    tree.fail(path, number, "foreign", f"{what}: {line.strip()[:80]}")


def rule_vacuous(tree):
    """The shell ends a test neither at a negated command nor at the head of an && list: such a check never fails."""
    for path in tree.scripts:
        if not path.endswith(".bats"):
            continue
        lines = tree.text[path].split("\n")
        for number, line in enumerate(lines, 1):
            following = next((rest.strip() for rest in lines[number:] if rest.strip()), "")
            if re.match(r"\s+! ", line) and following != "}" and "||" not in line:
                tree.fail(path, number, "vacuous", "a negated command checks nothing: if COMMAND; then false; fi")
            if re.match(r"\s+\[.* \]\]? && \[", line) and "||" not in line:
                tree.fail(path, number, "vacuous", "the head of an && list checks nothing: a line each")


def rule_format(tree):
    """Layout is clang-format's business (make format)."""
    program = os.environ.get("CLANG_FORMAT") or shutil.which("clang-format-14") or "clang-format"
    files = [p for p in tree.code if p.endswith((".c", ".h"))]
    if not files:
        return
    done = subprocess.run([program, "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False)
    places = re.findall(r"^(\S+?):(\d+):\d+: error:", done.stderr, re.M)
    for path in sorted({p for p, _ in places}):
        lines = [int(n) for p, n in places if p == path]
        tree.fail(path, lines[0], "format", f"{len(lines)} places to lay out anew: make format")
    if done.returncode != 0 and not places:
        tree.fail(".", 0, "format", f"{program}: {done.stderr.strip()[:200]}")


RULES = {name[5:]: function for name, function in list(globals().items()) if name.startswith("rule_")}


def main():
    parser = argparse.ArgumentParser(description="Checks the rules of the source tree that a compiler does not.")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser.add_argument("--rule", action="append", choices=sorted(RULES), help="only this rule; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the rules and their reasons")
    options = parser.parse_args()
    if options.list:
        for name, function in RULES.items():
            print(f"{name:10} {function.__doc__}")
        return 0
    tree = Tree(options.root)
    if not tree.own:
        print("lint: no C file under engine/ or harness/", file=sys.stderr)
        return 1
    for name in options.rule or RULES:
        RULES[name](tree)
    for line in tree.notes + tree.violations:
        print(line)
    print(f"lint: {len(tree.own)} files, {len(tree.violations)} violations, {len(tree.notes)} notes")
    return 1 if tree.violations else 0


if __name__ == "__main__":
    sys.exit(main())
