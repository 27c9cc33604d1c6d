import { readDocuments } from "@celadon/kube/read";
import Ajv from "ajv";
import { expect, test } from "vitest";
import { chartFiles } from "./chart.ts";

const files = chartFiles("1.2.3");
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(files.get("values.schema.json")!));

const values = (change: (values: Record<string, Record<string, unknown>>) => void): unknown => {
  const found = structuredClone(readDocuments(files.get("values.yaml")!).documents[0]!.value) as Record<
    string,
    Record<string, unknown>
  >;
  change(found);
  return found;
};

// biome-ignore format: one case per line
const cases: readonly [title: string, change: Parameters<typeof values>[0], isValid: boolean][] = [
  ["the chart's own values",  () => {}, true],
  ["more replicas",           (all) => { all.webhook!.replicas = 3; }, true],
  ["flags",                   (all) => { all.webhook!.extraArgs = ["--safe-mode"]; }, true],
  ["a node selector",         (all) => { all.audit!.nodeSelector = { a: "b" }; }, true],
  ["a toleration",            (all) => { all.audit!.tolerations = [{ key: "a" }]; }, true],
  ["global values",           (all) => { all.global = { a: 1 }; }, true],
  ["no replicas",             (all) => { all.webhook!.replicas = 0; }, false],
  ["a misspelt program",      (all) => { all.webhok = {}; }, false],
  ["a misspelt value",        (all) => { all.webhook!.replica = 2; }, false],
  ["a switch as text",        (all) => { all.webhook!.enabled = "yes"; }, false],
  ["flags as text",           (all) => { all.webhook!.extraArgs = "--safe-mode"; }, false],
];
test.each(cases)("%s", (_, change, isValid) => {
  expect({ isValid: validate(values(change)), errors: validate.errors }).toMatchObject({ isValid });
});

test("the notes name every program and only values that exist", () => {
  const notes = files.get("templates/NOTES.txt")!;
  const defaults = readDocuments(files.get("values.yaml")!).documents[0]!.value as Record<
    string,
    Record<string, unknown>
  >;
  const named = [...notes.matchAll(/\.Values\.(\w+)\.(\w+)/g)];
  expect(named.map(([, program]) => program)).toEqual(expect.arrayContaining(["webhook", "approver", "audit"]));
  for (const [, program, value] of named) expect(Object.keys(defaults[program!]!)).toContain(value);
});
