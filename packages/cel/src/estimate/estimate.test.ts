// Estimates recorded from cel-go (testdata/estimates.jsonl): an `env` line declares variables and size hints by path,
// the lines after it are expressions with what cel-go estimates for them.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exactly, MAX, range } from "../cost/range.ts";
import { STRING } from "../value/type.ts";
import { checkExpression, readType } from "./estimate.testing.ts";
import { type EstimateOptions, estimateCost, estimateNodes } from "./estimate.ts";

interface EnvLine {
  readonly env: number;
  readonly vars?: Readonly<Record<string, string>>;
  readonly hints?: Readonly<Record<string, readonly [number, number]>>;
  readonly presence?: 0 | 1;
}
interface CaseLine {
  readonly in: number;
  readonly expr: string;
  readonly min: string;
  readonly max: string;
}

/** Hints may be uint64s, which JSON.parse would round. */
const readLine = (line: string): EnvLine | CaseLine =>
  JSON.parse(line.replace(/(?<=[[,])\d{16,}(?=[\],])/g, '"$&"')) as EnvLine | CaseLine;

const lines = readFileSync(new URL("./testdata/estimates.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map(readLine);
const environments = lines.filter((line): line is EnvLine => "env" in line);
const cases = lines.filter((line): line is CaseLine => "in" in line);

function optionsOf({ hints = {}, presence }: EnvLine): EstimateOptions {
  return {
    sizes: {
      size: ({ path }) => {
        const key = path.join(".");
        const hint = path.length > 0 && Object.hasOwn(hints, key) ? hints[key] : undefined;
        return hint === undefined ? undefined : range(BigInt(hint[0]), BigInt(hint[1]));
      },
    },
    ...(presence === undefined ? {} : { presenceTestCost: presence }),
  };
}

describe.each(environments)("recorded estimates, environment $env", (environment) => {
  const variables = new Map(Object.entries(environment.vars ?? {}).map(([name, type]) => [name, readType(type)]));
  const options = optionsOf(environment);

  test.each(cases.filter((line) => line.in === environment.env))("$expr", ({ expr, min, max }) => {
    const checked = checkExpression(expr, variables);
    const estimate = estimateCost(checked, options);
    expect({ min: String(estimate.min), max: String(estimate.max) }).toEqual({ min, max });
    expect(estimateNodes(checked, options).get(checked.ast.expr.id)).toEqual(estimate);
  });
});

describe("options", () => {
  const variables = new Map([
    ["s", STRING],
    ["t", STRING],
  ]);

  test("without size hints every string is of unknown size", () => {
    expect(estimateCost(checkExpression("s == t", variables))).toEqual(range(3, 2n + 1844674407370955264n));
    expect(estimateCost(checkExpression("s in [t]", variables))).toEqual(exactly(13));
  });

  test("overrides come first and get the receiver as the first argument", () => {
    const seen: string[] = [];
    const checked = checkExpression("s.contains('abc') && s == t", variables);
    const estimate = estimateCost(checked, {
      overrides: ({ function: name, overload, args }) => {
        seen.push(
          `${name} ${overload.id} ${args.map((arg) => `${arg.type} ${arg.size.max === MAX ? "?" : arg.size.max}`).join(", ")}`,
        );
        return name === "contains" ? { cost: exactly(100) } : undefined;
      },
    });
    expect(seen).toEqual([
      "contains contains_string string ?, string 3",
      "_==_ equals string ?, string ?",
      "_&&_ logical_and bool 1, bool 1",
    ]);
    expect(estimate).toEqual(range(101, 101n + 2n + 1844674407370955264n));
  });

  test("sizes of list elements are looked up by path", () => {
    const paths: string[][] = [];
    const checked = checkExpression("l.join(',')", new Map([["l", readType("list(string)")]]));
    estimateCost(checked, {
      sizes: { size: ({ path }) => void paths.push([...path]) },
      overrides: ({ args }) => ({ cost: args[0]?.element ?? exactly(0) }),
    });
    expect(paths).toContainEqual(["l", "@items"]);
  });
});

test("every node has an estimate, and none costs less than the nodes below it at its least", () => {
  const checked = checkExpression("s == 'a' ? [s, s].all(x, x == s) : {'k': s}.size() > 1", new Map([["s", STRING]]));
  const nodes = estimateNodes(checked);
  expect(nodes.get(checked.ast.expr.id)).toEqual(estimateCost(checked));
  expect([...nodes.keys()].every((id) => checked.types.has(id))).toBe(true);
  expect(nodes.size).toBeGreaterThan(20);
});
