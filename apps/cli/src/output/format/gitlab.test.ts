import { expect, test } from "vitest";
import { ANSWER, answerOf, PLAIN, RESULTS } from "../answer.testing.ts";
import { render } from "./gitlab.ts";

interface Entry {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number; readonly end?: number } };
}
const entriesOf = (text: string): Entry[] => JSON.parse(text);

test("problems with their places", () => {
  const entries = entriesOf(render(ANSWER, PLAIN));
  expect(entries.map(({ severity }) => severity)).toEqual(["major", "major", "minor", "critical", "critical"]);
  expect(entries[0]).toEqual({
    description: "Pod shop/db: image docker.io/db is not allowed",
    check_name: "policy/trusted-images/validations[0]",
    fingerprint: entries[0]!.fingerprint,
    severity: "major",
    location: { path: "my pods/50%#?é.yaml", lines: { begin: 12, end: 12 } },
  });
});

test("entries have all that GitLab requires, even without a file", () => {
  for (const entry of entriesOf(render(ANSWER, PLAIN))) {
    expect(entry.description).not.toBe("");
    expect(entry.location.path).not.toBe("");
    expect(entry.location.lines.begin).toBeGreaterThan(0);
  }
  expect(entriesOf(render(answerOf([RESULTS[6]!]), PLAIN))[0]!.location).toEqual({
    path: "stdin",
    lines: { begin: 1 },
  });
});

test("fingerprints differ, and stay when lines move", () => {
  const prints = (text: string): string[] => entriesOf(text).map(({ fingerprint }) => fingerprint);
  const moved = RESULTS.map((row) => (row.place ? { ...row, place: { ...row.place, line: row.place.line + 9 } } : row));
  expect(prints(render(answerOf(moved), PLAIN))).toEqual(prints(render(ANSWER, PLAIN)));
  expect(new Set(prints(render(answerOf([...RESULTS, ...RESULTS]), PLAIN))).size).toBe(10);
});

test("no problems", () => expect(render(answerOf([]), PLAIN)).toBe("[]\n"));
