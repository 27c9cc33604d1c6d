// A document against its shape: every slip at once, each at its place, with the word that was probably meant.

import type { Origin } from "@celadon/simulator/manifests";
import { issueAt, type SuiteIssue } from "../issue.ts";
import { didYouMean } from "../suggest.ts";
import { jsonTypeOf, type Shape } from "./shape.ts";

type Path = readonly (string | number)[];

/** The name that JSON has for a value's type. Numbers beyond 2^53 come as bigints. */
function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint" || typeof value === "number")
    return Number.isInteger(Number(value)) ? "integer" : "number";
  return "object";
}

const NAMES: Readonly<Record<string, string>> = {
  text: "a text",
  bool: "true or false",
  integer: "a whole number",
  number: "a number",
  null: "nothing",
  list: "a list",
  object: "an object",
  any: "anything",
};

/** The types for which YAML takes plain words: `yes`, `1`, `~`. */
const QUOTABLE: ReadonlySet<string> = new Set(["bool", "integer", "number"]);

/** The name of a shape in messages. */
function shapeName(shape: Shape): string {
  if (shape.kind === "either") return shape.of.map(shapeName).join(" or ");
  if (shape.kind === "manifest") return "a Kubernetes object";
  if (shape.kind === "text" && shape.choices) return `one of ${shape.choices.join(", ")}`;
  return NAMES[jsonTypeOf(shape)]!;
}

export function checkShape(value: unknown, shape: Shape, origin: Origin, at: Path = []): SuiteIssue[] {
  const issues: SuiteIssue[] = [];
  check(value, shape, at);
  return issues;

  function check(value: unknown, shape: Shape, path: Path): void {
    const type = typeOf(value);
    if (shape.kind === "any") return;
    if (shape.kind === "either") {
      const fitting = shape.of.find((item) => jsonTypeOf(item) === type);
      if (fitting === undefined) wrongType(type, shape, path);
      else check(value, fitting, path);
      return;
    }
    if (jsonTypeOf(shape) !== type) {
      wrongType(type, shape, path);
      return;
    }
    switch (shape.kind) {
      case "text":
        checkText(value as string, shape.choices, path);
        break;
      case "integer":
        if ((value as number) < shape.min) {
          issues.push(issueAt(origin, path, "out_of_range", `${fieldText(path)} must be at least ${shape.min}`));
        }
        break;
      case "list":
        if (shape.filled && (value as unknown[]).length === 0) {
          issues.push(issueAt(origin, path, "out_of_range", `${fieldText(path)} must not be empty`));
        }
        (value as unknown[]).forEach((item, i) => {
          check(item, shape.items, [...path, i]);
        });
        break;
      case "map":
        for (const [key, item] of Object.entries(value as object)) check(item, shape.values, [...path, key]);
        break;
      case "fields":
        checkFields(value as Readonly<Record<string, unknown>>, shape, path);
        break;
      case "manifest":
        checkManifest(value as Readonly<Record<string, unknown>>, path);
        break;
    }
  }

  function checkText(value: string, choices: readonly string[] | undefined, path: Path): void {
    if (choices === undefined || choices.includes(value)) return;
    const message = `${fieldText(path)} is ${JSON.stringify(value)}, not one of ${choices.join(", ")}`;
    issues.push(issueAt(origin, path, "unknown_value", message, { hint: didYouMean(value, choices) }));
  }

  function checkFields(value: Readonly<Record<string, unknown>>, shape: Shape & { kind: "fields" }, path: Path): void {
    for (const [key, item] of Object.entries(value)) {
      const known = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
      if (known !== undefined) {
        check(item, known.shape, [...path, key]);
        continue;
      }
      const names = Object.keys(shape.fields);
      const hint = didYouMean(key, names) ?? `fields here: ${names.join(", ")}`;
      const message = `unknown field ${JSON.stringify(key)}`;
      issues.push(issueAt(origin, [...path, key], "unknown_field", message, { hint, part: "key" }));
    }
    for (const [name, { required }] of Object.entries(shape.fields)) {
      if (!required || Object.hasOwn(value, name)) continue;
      issues.push(issueAt(origin, path, "missing_field", `${fieldText(path)} needs the field ${JSON.stringify(name)}`));
    }
  }

  function checkManifest(value: Readonly<Record<string, unknown>>, path: Path): void {
    for (const name of ["apiVersion", "kind"]) {
      if (Object.hasOwn(value, name) && typeof value[name] === "string") continue;
      issues.push(
        issueAt(origin, path, "missing_field", `${fieldText(path)} is not a Kubernetes object: it has no ${name}`),
      );
    }
  }

  function wrongType(type: string, shape: Shape, path: Path): void {
    const message = `${fieldText(path)} must be ${shapeName(shape)}, not ${NAMES[type]}`;
    const isText = shape.kind === "text" || (shape.kind === "either" && shape.of.some(({ kind }) => kind === "text"));
    const hint = isText && QUOTABLE.has(type) ? "put it in quotes to make it a string" : undefined;
    issues.push(issueAt(origin, path, "wrong_type", message, { hint }));
  }
}

/** `tests[0].expect`; the document itself is `the suite`. */
export function fieldText(path: Path): string {
  if (path.length === 0) return "the suite";
  return path.map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`)).join("");
}
