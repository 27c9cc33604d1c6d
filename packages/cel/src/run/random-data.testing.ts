// Random data for declared types, and data of other types than declared.

import fc from "fast-check";
import { formatType, isOptionalType, type Type } from "../value/type.ts";
import { Double, Duration, Optional, Timestamp, Uint } from "../value/value.ts";

/** The keys that data has and expressions read. */
export const KEYS: readonly string[] = ["a", "b", "c", "name", "items", "constructor", "x-y"];

const int = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.bigInt({ min: -3n, max: 12n }), // not as the engine has them, but hosts may
  fc.constantFrom<number | bigint>(2 ** 31, -(2 ** 53) + 1, 2 ** 53 - 1, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n),
);
const uint = fc.oneof(
  fc.nat(12),
  fc.bigInt({ min: 0n, max: 12n }),
  fc.constantFrom<number | bigint>(2 ** 53 - 1, 2n ** 53n, 2n ** 64n - 1n),
);
const fraction = fc.constantFrom(
  0.5,
  -1.5,
  1e300,
  5e-324,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 53,
  0.1,
);
const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom(
    "",
    "a",
    "b",
    "ab",
    "héllo wörld",
    "😀a😀b😀c😀d😀e😀f",
    "x".repeat(25),
    "1",
    "-7",
    "1.5",
    "true",
    "2024-02-29T12:30:00Z",
    "1h30m",
    "[a-c]+",
    "%s %d",
    "\ud800",
  ),
);
const bytes = fc.uint8Array({ maxLength: 12 });
const timestamp = fc
  .tuple(
    fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
    fc.constantFrom(0, 1, 500_000_000, 999_999_999),
    fc.constantFrom(0, 90, -300),
  )
  .map(([seconds, nanos, offset]) => new Timestamp(seconds, nanos, offset));
const duration = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }).map((seconds) => new Duration(seconds, 0)),
  fc.constantFrom(new Duration(0, 1), new Duration(-1, -5), new Duration(9_223_372_036, 854_775_807)),
);

/** Boxed, as a value has to be where nothing is declared. */
const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  int,
  text,
  fraction,
  bytes,
  timestamp,
  duration,
  uint.map((n) => new Uint(n)),
  fc.integer({ min: -3, max: 12 }).map((n) => new Double(n)),
  fc.constant(new Double(-0)),
);

const anything: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie("any"), { maxLength: 4 }) },
    { weight: 3, arbitrary: objectOf(tie("any")) },
    { weight: 1, arbitrary: fc.option(tie("any"), { nil: undefined }).map(optional) },
  ),
})).any;

/** A document: mostly objects, some way down. */
const document: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: objectOf(anything) },
  { weight: 1, arbitrary: anything },
);

function objectOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc
    .array(fc.tuple(fc.constantFrom(...KEYS), value), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries));
}

function optional(value: unknown): Optional {
  return value === undefined ? Optional.none : Optional.of(value);
}

const known = new Map<string, fc.Arbitrary<unknown>>();

/** Data as a host would pass it for a declared type: plain numbers for doubles and uints, a Date for a timestamp. */
export function dataOf(type: Type): fc.Arbitrary<unknown> {
  const name = formatType(type);
  let made = known.get(name);
  if (made === undefined) known.set(name, (made = make(type)));
  return made;
}

function make(type: Type): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case "bool":
      return fc.boolean();
    case "int":
      return int;
    case "uint":
      return fc.oneof(
        uint,
        uint.map((n) => new Uint(n)),
      );
    case "double":
      return fc.oneof(fraction, fc.integer({ min: -3, max: 12 }), fc.constant(new Double(-0)), fc.constant(2n ** 60n));
    case "string":
      return text;
    case "bytes":
      return bytes;
    case "null":
      return fc.constant(null);
    case "timestamp":
      return fc.oneof(
        timestamp,
        timestamp.map(({ seconds }) => new Date(seconds * 1000 + 7)),
      );
    case "duration":
      return duration;
    case "list":
      return fc.array(dataOf(type.params[0]!), { maxLength: 5 });
    case "map":
      return type.params[0]!.kind === "string" || type.params[0]!.kind === "dyn"
        ? objectOf(dataOf(type.params[1]!))
        : fc.constant({});
    case "opaque":
      if (isOptionalType(type)) return fc.option(dataOf(type.params[0]!), { nil: undefined }).map(optional);
  }
  return document;
}

/** Data that need not be of any declared type; undefined where the variable is missing. */
export const wrongData: fc.Arbitrary<unknown> = fc.oneof(fc.constant(undefined), anything);

/** Values for the variables: as declared, or now and then not. */
export function variablesOf(
  declared: Readonly<Record<string, Type>>,
  wrong: boolean,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(declared).map(([name, type]) => {
    const right = dataOf(type);
    return [
      name,
      wrong ? fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: wrongData }) : right,
    ] as const;
  });
  return fc.record(Object.fromEntries(fields)) as fc.Arbitrary<Record<string, unknown>>;
}
