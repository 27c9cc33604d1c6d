// Data of any depth is answered, never thrown at.

import type { JsonObject } from "@celadon/base";
import { describe, expect, test } from "vitest";
import { admitCreate, admitDefinition, admitStatusUpdate, admitUpdate } from "../admit.ts";
import { widget, widgetDefinition, widgets, withProperties } from "../widgets.testing.ts";
import { isTooDeep, MAX_DEPTH } from "./depth.ts";

type Wrap = (inner: unknown) => unknown;

function nested(levels: number, wrap: Wrap, innermost: unknown = 1): unknown {
  let made = innermost;
  for (let i = 0; i < levels; i++) made = wrap(made);
  return made;
}

const WRAPS: readonly (readonly [string, Wrap])[] = [
  ["lists", (inner) => [inner]],
  ["maps", (inner) => ({ a: inner })],
];

const STRING = { type: "string" };
const SCHEMAS: readonly (readonly [string, number, Wrap])[] = [
  ["properties", 2, (inner) => ({ type: "object", properties: { a: inner } })],
  ["items", 1, (inner) => ({ type: "array", items: inner })],
  ["additionalProperties", 1, (inner) => ({ type: "object", additionalProperties: inner })],
  ["allOf", 2, (inner) => ({ type: "object", allOf: [inner] })],
  ["not", 1, (inner) => ({ type: "object", not: inner })],
];

test.each(WRAPS)("%s are counted", (_, wrap) => {
  expect(isTooDeep(nested(MAX_DEPTH, wrap))).toBe(false);
  expect(isTooDeep(nested(MAX_DEPTH + 1, wrap))).toBe(true);
});

test("data that contains itself is too deep", () => {
  const loop: JsonObject = {};
  loop.self = loop;
  expect(isTooDeep(loop)).toBe(true);
});

describe.each(SCHEMAS)("schemas nested in %s", (_, levels, wrap) => {
  const definition = (depth: number): JsonObject =>
    widgetDefinition(withProperties({ deep: nested(depth, wrap, STRING) }));
  test("are refused when they are too deep", () => {
    for (const depth of [MAX_DEPTH, 3_000, 20_000]) {
      const answer = admitDefinition(definition(depth), undefined);
      expect(answer.allowed || [answer.status.code, answer.status.message]).toEqual([
        400,
        expect.stringContaining("nested more than 1000 levels deep"),
      ]);
    }
  });
  test("are answered up to the limit", () => {
    const answer = admitDefinition(definition(Math.floor((MAX_DEPTH - 20) / levels)), undefined);
    expect(answer.allowed ? "" : answer.status.message).not.toContain("nested more than");
  });
});

describe.each(WRAPS)("objects nested in %s", (_, wrap) => {
  const version = widgets(
    withProperties(
      { any: { "x-kubernetes-preserve-unknown-fields": true } },
      {
        "x-kubernetes-validations": [{ rule: "self == self" }],
      },
    ),
    { subresources: { status: {} } },
  );
  const object = (depth: number): JsonObject => widget({ spec: { any: nested(depth, wrap) } });
  const small = object(1);
  test.each([MAX_DEPTH, 3_000, 20_000])("are refused: %i", (depth) => {
    const deep = object(depth);
    for (const answer of [
      admitCreate(version, deep),
      admitUpdate(version, deep, small),
      admitUpdate(version, small, deep),
      admitStatusUpdate(version, deep, small),
      admitStatusUpdate(version, small, deep),
    ])
      expect(answer.allowed || [answer.status.code, answer.status.message]).toEqual([
        400,
        'Widget in version "v1" cannot be handled as a Widget: nested more than 1000 levels deep',
      ]);
  });
  test("are admitted up to the limit", () => {
    const deep = object(MAX_DEPTH - 2);
    expect(admitCreate(version, deep).allowed).toBe(true);
    expect(admitUpdate(version, deep, object(MAX_DEPTH - 2)).allowed).toBe(true);
  });
});
