import { Marked, type Tokens } from "marked";
import { expect, test } from "vitest";
import { ANSWER, answerOf, NASTY, PLAIN } from "../answer.testing.ts";
import type { ReportRow } from "../answer.ts";
import { render } from "./markdown.ts";

/** Cells of the table's rows as a reader shows them. */
function cellsOf(text: string): string[][] {
  for (const token of new Marked().lexer(text)) {
    if (token.type !== "table") continue;
    return (token as Tokens.Table).rows.map((row) =>
      row.map(({ tokens }) => tokens.map((part) => ("text" in part ? String(part.text) : part.raw)).join("")),
    );
  }
  return [];
}

test("counts, and a row for each problem, errors first", () => {
  const text = render(ANSWER, PLAIN);
  expect(text.split("\n")[0]).toBe("**celadon**: 💥 2 errors, ❌ 2 problems, ⚠️ 1 warning");
  expect(cellsOf(text).map(([mark, object]) => [mark, object])).toEqual([
    ["💥", "Node n1"],
    ["💥", "Node n3"],
    ["❌", "Pod shop/db"],
    ["❌", "Pod data/nasty"],
    ["⚠️", "Pod shop/cache"],
  ]);
  expect(cellsOf(text)[2]).toEqual([
    "❌",
    "Pod shop/db",
    "policy/trusted-images/validations[0]",
    "image docker.io/db is not allowed",
    "my pods/50%#?é.yaml:12",
  ]);
});

test("nothing wrong", () => {
  expect(render(answerOf([]), PLAIN)).toBe("**celadon**: ✅ no problems\n\n");
});

const row: ReportRow = { group: "g", name: "n", level: "fail", rule: "r", message: "m", system: "policy" };
const FORGERIES = [
  "![i](http://e.example/i.png) [l](http://e.example) http://e.example @team #1 <img src=x> **b**",
  "` ![i](http://e.example/i.png) `",
  "``` \n![i](http://e.example/i.png)\n```",
  "a | ![i](http://e.example/i.png) | b",
  "a \\| ![i](http://e.example/i.png) \\\\| b",
  "`|` <script>x</script> \\",
  "</details><h1>x</h1>",
  "\n\n# heading\n\n- list",
  NASTY,
];
test.each(FORGERIES)("%j stays text", (message) => {
  const text = render(
    answerOf([{ ...row, name: message, message, place: { file: message, line: 1, column: 1 } }]),
    PLAIN,
  );
  const html = new Marked({ gfm: true }).parse(text, { async: false });
  expect(html).not.toMatch(/<(?!\/?(?:p|strong|table|thead|tbody|tr|th|td|code|pre|details|summary)\b)/);
  // Only the fold is markup.
  expect(html.match(/<\/?details>/g)).toEqual(["<details>", "</details>"]);
  expect(cellsOf(text)[0]).toHaveLength(5);
});

test("a comment has an end", () => {
  const many = Array.from({ length: 3000 }, (_, i) => ({ ...row, name: `n${i}`, message: "x".repeat(5000) }));
  const text = render(answerOf(many), PLAIN);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain("… and 2950 more");
});
