// Outcomes of the tests of a Go test binary: from the lines of `-test.v`, and from the report of a Ginkgo suite, whose specs count in place of
// the one test that runs them.

/** The outcomes by name: passed, failed or skipped. Tests with parts are left to their parts. */
export function goTests(output) {
  const ended = new Map();
  const runners = new Set();
  let current = "";
  for (const line of output.split("\n")) {
    const started = /^=== (?:RUN|CONT)\s+(\S+)/.exec(line);
    if (started !== null) current = started[1];
    else if (line.startsWith("Running Suite:")) runners.add(current);
    const [, outcome, name] = /^\s*--- (PASS|FAIL|SKIP): (\S+)/.exec(line) ?? [];
    if (name !== undefined) ended.set(name, OUTCOMES[outcome]);
    // A test that ended the whole program has no line of its own.
    if (/^panic: /.test(line) && current !== "") ended.set(current, "failed");
  }
  const parents = new Set([...ended.keys()].flatMap(ancestors));
  return new Map([...ended].filter(([name]) => !runners.has(name) && !parents.has(name)));
}

const OUTCOMES = { PASS: "passed", FAIL: "failed", SKIP: "skipped" };

function ancestors(name) {
  const parts = name.split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
}

/** The outcomes of the specs in Ginkgo's JSON report; a failed set-up stands for the specs that did not run. */
export function ginkgoTests(report) {
  const ended = new Map();
  for (const { SpecReports } of report) {
    for (const { LeafNodeType, ContainerHierarchyTexts, LeafNodeText, State } of SpecReports ?? []) {
      const isFailed = !["passed", "skipped", "pending"].includes(State);
      if (LeafNodeType !== "It" && !isFailed) continue;
      const words = [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType];
      ended.set(unused(ended, words.join(" ")), isFailed ? "failed" : State === "passed" ? "passed" : "skipped");
    }
  }
  return ended;
}

/** Specs may have the same texts. */
function unused(names, name) {
  if (!names.has(name)) return name;
  let n = 2;
  while (names.has(`${name} #${n}`)) n++;
  return `${name} #${n}`;
}

/** The checks of a script: lines `ok NAME` and `not ok NAME`. */
export function scriptTests(output) {
  const ended = new Map();
  for (const line of output.split("\n")) {
    const [, not, name] = /^(not )?ok (.+)$/.exec(line.trimEnd()) ?? [];
    if (name !== undefined) ended.set(unused(ended, name), not === undefined ? "passed" : "failed");
  }
  return ended;
}
