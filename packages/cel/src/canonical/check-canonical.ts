// Whether JSON has the canonical form at all: members of the right types, numbers in their ranges, one kind of expression in each, and not
// nested deeper than anything is that was parsed. Later readers need no checks of their own. The walk keeps a stack of its own, because
// JSON may be nested deeper than any other.

import { isRecord } from "@celadon/base";

/** A member's rule, by name where the form contains itself. */
type Rule = Scalar | "expr" | "constant" | "entry" | "type" | "reference" | Members | { readonly list: Rule } | MapOf;
type Scalar = "string" | "boolean" | "id" | "int64" | "uint64" | "double" | "null" | "empty" | "offset";
interface MapOf {
  readonly map: Rule;
}
interface Members {
  readonly members: Readonly<Record<string, Rule>>;
  /** Exactly one of all members but `id` must be there, or none. */
  readonly exactly?: "one" | "at most one";
}

const members = (rules: Readonly<Record<string, Rule>>, exactly?: Members["exactly"]): Members =>
  exactly === undefined ? { members: rules } : { members: rules, exactly };
const list = (rule: Rule): Rule => ({ list: rule });

// biome-ignore format: one member per line
const NAMED: Readonly<Record<"expr" | "constant" | "entry" | "type" | "reference", Members>> = {
  expr: members({
    id: "id",
    constExpr: "constant",
    identExpr: members({ name: "string" }),
    selectExpr: members({ operand: "expr", field: "string", testOnly: "boolean" }),
    callExpr: members({ target: "expr", function: "string", args: list("expr") }),
    listExpr: members({ elements: list("expr"), optionalIndices: list("offset") }),
    structExpr: members({ messageName: "string", entries: list("entry") }),
    comprehensionExpr: members({
      iterVar: "string", iterVar2: "string", iterRange: "expr", accuVar: "string", accuInit: "expr",
      loopCondition: "expr", loopStep: "expr", result: "expr",
    }),
  }, "at most one"),
  entry: members({ id: "id", fieldKey: "string", mapKey: "expr", value: "expr", optionalEntry: "boolean" }),
  constant: members({
    nullValue: "null", boolValue: "boolean", int64Value: "int64", uint64Value: "uint64", doubleValue: "double",
    stringValue: "string", bytesValue: "string", durationValue: "string", timestampValue: "string",
  }, "one"),
  type: members({
    dyn: "empty", null: "null", primitive: "string", wrapper: "string", wellKnown: "string", listType: members({ elemType: "type" }),
    mapType: members({ keyType: "type", valueType: "type" }), messageType: "string", typeParam: "string", type: "type", error: "empty",
    function: members({ resultType: "type", argTypes: list("type") }),
    abstractType: members({ name: "string", parameterTypes: list("type") }),
  }, "at most one"),
  reference: members({ name: "string", overloadId: list("string"), value: "constant" }),
};

const SOURCE_INFO = members({
  syntaxVersion: "string",
  location: "string",
  lineOffsets: list("offset"),
  positions: { map: "offset" },
  macroCalls: { map: "expr" },
});
const CHECKED = members({
  expr: "expr",
  sourceInfo: SOURCE_INFO,
  exprVersion: "string",
  referenceMap: { map: "reference" },
  typeMap: { map: "type" },
});

/** Deeper than any text is parsed by default, shallow enough for every stage that follows. */
const MAX_DEPTH = 2000;
/** Parts of the whole. */
const MAX_PARTS = 1_000_000;

/** Ids are given out in order, and tables by id are as long as the largest. */
const MAX_ID = 1_000_000;

export type Form = "expr" | "constant" | "type" | "whole";

/** Throws an error that names the member that is wrong. */
export function checkCanonical(json: unknown, form: Form): void {
  const stack: Place[] = [{ json, rule: form === "whole" ? CHECKED : form, name: form, depth: 0, outer: undefined }];
  let parts = 0;
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (++parts > MAX_PARTS) throw new Error(`more than ${MAX_PARTS} parts`);
    if (place.depth > MAX_DEPTH) throw new Error(`nested deeper than ${MAX_DEPTH} levels`);
    checkPlace(place, stack);
  }
}

interface Place {
  readonly json: unknown;
  readonly rule: Rule;
  readonly name: string;
  readonly depth: number;
  readonly outer: Place | undefined;
}

function checkPlace(place: Place, stack: Place[]): void {
  const { json, depth } = place;
  const rule =
    typeof place.rule === "string" && place.rule in NAMED ? NAMED[place.rule as keyof typeof NAMED] : place.rule;
  const below = (name: string, part: unknown, partRule: Rule): void => {
    // Lists and the objects around kinds are no levels of their own.
    const level = typeof partRule === "string" ? depth + 1 : depth;
    stack.push({ json: part, rule: partRule, name, depth: level, outer: place });
  };
  if (typeof rule === "string") {
    if (!SCALARS[rule as Scalar](json)) wrong(place, WORDS[rule as Scalar]);
  } else if ("list" in rule) {
    if (!Array.isArray(json)) wrong(place, "a list");
    for (const [i, item] of json.entries()) below(`[${i}]`, item, rule.list);
  } else {
    if (!isRecord(json)) wrong(place, "an object");
    if ("map" in rule) {
      for (const [key, value] of Object.entries(json)) {
        if (!isId(key)) wrong(place, `ids as keys, not ${JSON.stringify(key)}`);
        below(key, value, rule.map);
      }
    } else checkMembers(place, json, rule, below);
  }
}

function checkMembers(
  place: Place,
  json: Readonly<Record<string, unknown>>,
  { members: rules, exactly }: Members,
  below: (name: string, part: unknown, rule: Rule) => void,
): void {
  let kinds = 0;
  for (const [name, part] of Object.entries(json)) {
    if (part === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) wrong(place, `no member ${JSON.stringify(name)}`);
    if (name !== "id") kinds++;
    below(name, part, rule);
  }
  if (exactly !== undefined && (kinds > 1 || (kinds === 0 && exactly === "one"))) wrong(place, "one kind of it");
}

const isId = (json: unknown): boolean =>
  (typeof json === "number" || (typeof json === "string" && /^[0-9]{1,16}$/.test(json))) &&
  Number.isInteger(Number(json)) &&
  Number(json) >= 0 &&
  Number(json) <= MAX_ID;

function isWithin(json: unknown, least: bigint, most: bigint): boolean {
  if (typeof json !== "number" && !(typeof json === "string" && /^-?[0-9]{1,20}$/.test(json))) return false;
  if (typeof json === "number" && !Number.isInteger(json)) return false;
  const value = BigInt(json);
  return value >= least && value <= most;
}

const isDouble = (json: unknown): boolean =>
  typeof json === "number" ||
  (typeof json === "string" &&
    (json === "NaN" || (/^[-+.0-9eEInfity]{1,40}$/.test(json) && !Number.isNaN(Number(json)))));

// biome-ignore format: one type per line
const SCALARS: Readonly<Record<Scalar, (json: unknown) => boolean>> = {
  string:  (json) => typeof json === "string",
  boolean: (json) => typeof json === "boolean",
  null:    (json) => json === null || json === 0 || json === "NULL_VALUE",
  empty:   isRecord,
  id:      isId,
  offset:  (json) => Number.isSafeInteger(json) && (json as number) >= 0,
  int64:   (json) => isWithin(json, -(2n ** 63n), 2n ** 63n - 1n),
  uint64:  (json) => isWithin(json, 0n, 2n ** 64n - 1n),
  double:  isDouble,
};

// biome-ignore format: one type per line
const WORDS: Readonly<Record<Scalar, string>> = {
  string: "a string", boolean: "true or false", null: "null", empty: "an object", id: `an id up to ${MAX_ID}`, offset: "an offset",
  int64: "a 64-bit integer", uint64: "an unsigned 64-bit integer", double: "a number",
};

function wrong(place: Place, expected: string): never {
  const path: string[] = [];
  for (let at: Place | undefined = place; at?.outer !== undefined; at = at.outer) {
    // The ends say enough of a path that is long.
    if (path.length < 12) path.unshift(at.name);
  }
  throw new Error(`${path.length === 0 ? place.name : path.join(".").replaceAll(".[", "[")}: expected ${expected}`);
}
