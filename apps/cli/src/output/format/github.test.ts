import { expect, test } from "vitest";
import { ANSWER, answerOf, PLAIN } from "../answer.testing.ts";
import type { ReportRow } from "../answer.ts";
import { wholeText } from "../pieces.ts";
import { render } from "./github.ts";

test("one command per line, for results that are no passes", () => {
  const lines = wholeText(render(ANSWER, PLAIN)).split("\n");
  expect(lines.map((line) => /^::(\w*) /.exec(line)?.[1])).toEqual([
    "error",
    "error",
    "warning",
    "error",
    "notice",
    "error",
    undefined,
  ]);
});

const result: ReportRow = { group: "g", name: "n", level: "fail", rule: "r", message: "m", system: "policy" };
const WEB = { apiVersion: "v1", kind: "Pod", namespace: "shop", name: "web" };
const at = (file: string): ReportRow => ({ ...result, place: { file, line: 3, column: 5 } });

// biome-ignore format: one case per line
const cases = [
  { result,                                                         want: "::error title=r::m" },
  { result: { ...result, message: "100%\r\nb: c, d" },              want: "::error title=r::100%25%0D%0Ab: c, d" },
  { result: { ...result, rule: "a:b,c%\n" },                        want: "::error title=a%3Ab%2Cc%25%0A::m" },
  { result: { ...result, detail: "more" },                          want: "::error title=r::m%0Amore" },
  { result: { ...result, message: "\u001b[1m" },                    want: "::error title=r::\\u001b[1m" },
  { result: { ...result, level: "warn" as const },                  want: "::warning title=r::m" },
  { result: at("a,b:c.yaml"),                                       want: "::error file=a%2Cb%3Ac.yaml,line=3,col=5,title=r::m" },
  { result: at("./x/../a.yaml"),                                    want: "::error file=a.yaml,line=3,col=5,title=r::m" },
  { result: at("/repo/a.yaml"),                                     want: "::error file=a.yaml,line=3,col=5,title=r::m" },
  { result: at("../a.yaml"),                                        want: "::error file=/a.yaml,line=3,col=5,title=r::m" },
  { result: at("-"),                                                want: "::error title=r::m" },
  { result: { ...at("-"), subject: WEB },                           want: "::error title=r Pod shop/web::m" },
  { result: { ...at("a.yaml"), subject: WEB },                      want: "::error file=a.yaml,line=3,col=5,title=r::m" },
  { result: at("<stdin>"),                                          want: "::error title=r::m" },
];
test.each(cases)("$want", ({ result, want }) => expect(wholeText(render(answerOf([result]), PLAIN))).toBe(`${want}\n`));

test("paths are relative to the checkout", () => {
  const setting = { ...PLAIN, cwd: "/repo/sub", root: "/repo" };
  expect(wholeText(render(answerOf([at("a.yaml")]), setting))).toContain("file=sub/a.yaml,");
});
