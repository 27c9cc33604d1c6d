// Types whose values convert their parts: generated code reads the data, the interpreter converts step by step, and the results are the
// same.

import { CelObject, isRecord } from "@celadon/base";
import { describe, expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { optionalLibrary } from "../lib/optional.ts";
import type { Field, StructType, TypeProvider } from "../types/provider.ts";
import { CelError, noSuchKey } from "../value/error.ts";
import { INT, STRING, TIMESTAMP, Type } from "../value/type.ts";
import { ListValue, MapValue, Timestamp, type Value } from "../value/value.ts";

// A small world of records: fields are the properties with their names written backwards. Years are timestamps.

type Convert = (data: unknown) => Value | CelError;
const refused = (what: string): CelError => new CelError("invalid_argument", `not ${what}`);

let conversions = 0;

function adapter(convert: Convert): { readonly deep: true; toValue(raw: unknown): unknown } {
  return {
    deep: true,
    toValue: (raw) => {
      conversions++;
      return raw instanceof CelObject ? raw : convert(raw);
    },
  };
}

class View extends MapValue {
  override readonly data: Readonly<Record<string, unknown>>;
  constructor(data: Readonly<Record<string, unknown>>) {
    super();
    this.data = data;
  }
  override get size(): number {
    return Object.keys(this.data).length;
  }
  override find(key: Value): Value | CelError | undefined {
    const field = FIELDS.get(String(key));
    const data = field && Object.hasOwn(this.data, field.key as string) ? this.data[field.key as string] : undefined;
    return data === undefined || data === null ? undefined : (field?.type.adapter?.toValue(data) as Value);
  }
  override keys(): Iterable<Value> {
    return Object.keys(this.data);
  }
}

class ListView extends ListValue {
  override readonly data: readonly unknown[];
  readonly convert: Convert;
  constructor(data: readonly unknown[], convert: Convert) {
    super();
    this.data = data;
    this.convert = convert;
  }
  override get size(): number {
    return this.data.length;
  }
  override get(index: number): Value | CelError {
    return this.convert(this.data[index]);
  }
}

class MapView extends View {
  override find(key: Value): Value | CelError | undefined {
    return Object.hasOwn(this.data, String(key))
      ? (RECORD.adapter?.toValue(this.data[String(key)]) as Value)
      : undefined;
  }
}

const TEXT = new Type(
  "string",
  STRING.name,
  [],
  adapter((data) => (typeof data === "string" ? data : refused("a text"))),
);
const WHOLE = new Type(
  "int",
  INT.name,
  [],
  adapter((data) => (Number.isSafeInteger(data) ? data : refused("whole"))),
);
const YEAR = new Type(
  "timestamp",
  TIMESTAMP.name,
  [],
  adapter((data) => (typeof data === "number" ? new Timestamp(Date.UTC(data) / 1000, 0) : refused("a year"))),
);
const RECORD = new Type(
  "struct",
  "Record",
  [],
  adapter((data) => (isRecord(data) ? new View(data) : refused("a record"))),
);
const convertRecord: Convert = (data) => RECORD.adapter?.toValue(data) as Value;
const LIST = new Type(
  "list",
  "list",
  [RECORD],
  adapter((data) => (Array.isArray(data) ? new ListView(data, convertRecord) : refused("a list"))),
);
const MAP = new Type(
  "map",
  "map",
  [STRING, RECORD],
  adapter((data) => (isRecord(data) ? new MapView(data) : refused("a map"))),
);

const field = (name: string, type: Type): [string, Field] => [
  name,
  { name, type, key: [...name].reverse().join(""), nullIsAbsent: true },
];
const FIELDS: ReadonlyMap<string, Field> = new Map([
  field("text", TEXT),
  field("whole", WHOLE),
  field("year", YEAR),
  field("record", RECORD),
  field("list", LIST),
  field("map", MAP),
]);
const struct: StructType = { type: RECORD, field: (name) => FIELDS.get(name), fieldNames: () => [...FIELDS.keys()] };
const provider: TypeProvider = {
  findStruct: (name) => (name === "Record" ? struct : undefined),
  findIdent: () => undefined,
};
const env = createEnv({ variables: { r: RECORD }, provider, libraries: [optionalLibrary()] });

const leaf = { txet: "leaf", elohw: 2, raey: 2020 };
const r = {
  txet: "root",
  elohw: 1,
  raey: 2019,
  drocer: leaf,
  tsil: [leaf, { txet: "b", elohw: 5, raey: null }],
  pam: { x: leaf, constructor: leaf },
};

// biome-ignore format: one expression per line
const cases: readonly (readonly [expr: string, want: unknown])[] = [
  ["r.record.text == 'leaf' && r.whole < r.record.whole",                    true],
  ["r.record.year > r.year",                                                 true],
  ["r.list[1].text + r.list[r.whole].text",                                  "bb"],
  ["r.list.all(x, x.whole > r.whole)",                                       true],
  ["r.list.exists(x, has(x.year) && x.year.getFullYear() == 2020)",          true],
  ["r.list.filter(x, x.whole > 2).map(x, x.text)",                           ["b"]],
  ["r.map.x.whole + r.map['x'].whole",                                       4],
  ["r.map.constructor.text",                                                 "leaf"],
  ["'x' in r.map && !('toString' in r.map) && !has(r.map.y)",                true],
  ["has(r.list[1].year) || has(r.record.record)",                            false],
  ["size(r.list) + r.map.size()",                                            4],
  ["r.?record.?text.orValue('none') + r.record.?record.text.orValue('n')",   "leafn"],
  ["r.list[?7].?text.hasValue()",                                            false],
  ["(r.whole > 5 ? r : r.record).text",                                      "leaf"],
  ["[r.record, r.list[0]].all(x, x.text == 'leaf')",                         true],
  ["r.list[1].year",                                                         noSuchKey("year").message],
  ["r.record.record.text",                                                   noSuchKey("record").message],
  ["r.list[2]",                                                              "index out of bounds: 2"],
  ["r.list[1].year > r.year || true",                                        true],
];

describe.each(["interpreted", "compiled"] as const)("%s", (mode) => {
  test.each(cases)("%s", (expr, want) => {
    const { value, error } = env.program(expr, { mode }).evaluate({ r });
    expect(error?.message ?? value).toEqual(want);
  });
});

// biome-ignore format: one expression per line
const broken: readonly (readonly [expr: string, data: unknown, message: string, cost: number])[] = [
  ["r.text",                                { txet: 1 },                   "not a text",   2],
  ["r.whole + 1",                           { elohw: 1.5 },                "not whole",    3],
  ["has(r.whole)",                          { elohw: "1" },                "not whole",    2],
  ["r.record.text",                         { drocer: [] },                "not a record", 2],
  ["has(r.record.text)",                    { drocer: "x" },               "not a record", 2],
  ["r.list.all(x, x.text == 'a')",          { tsil: {} },                  "not a list",   2],
  ["r.list.all(x, x.text == 'a')",          { tsil: [5] },                 "not a record", 8],
  ["r.map.x.text",                          { pam: { x: null } },          "not a record", 3],
  ["r.?record.?text",                       { drocer: 1 },                 "not a record", 1],
  ["r.year",                                { raey: "x" },                 "not a year",   2],
  ["size(r.list)",                          { tsil: "abc" },               "not a list",   3],
  ["'x' in r.map",                          { pam: { x: 1 } },             "not a record", 3],
  ["r.text",                                "no record",                   "not a record", 1],
];

test.each(broken)("%s of broken data", (expr, data, message, cost) => {
  const [interpreted, compiled] = (["interpreted", "compiled"] as const).map((mode) =>
    env.program(expr, { mode }).evaluate({ r: data as object }),
  );
  expect({ message: interpreted?.error?.message, cost: interpreted?.cost }).toEqual({ message, cost });
  expect(compiled).toEqual(interpreted);
});

test("generated code converts only parts that are used as values", () => {
  const counts = [
    "r.record.text == 'leaf' && r.list.all(x, x.whole > 0)",
    "r.record.year < r.year",
    "r.record == r.record",
  ].map((expr) => {
    const program = env.program(expr, { mode: "compiled" });
    conversions = 0;
    program.evaluate({ r });
    return conversions;
  });
  expect(counts.slice(0, 2)).toEqual([0, 2]);
  expect(counts[2]).toBeGreaterThanOrEqual(2);
});
