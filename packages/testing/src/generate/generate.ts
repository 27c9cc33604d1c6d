// Schema + focus + chooser → an object. Required fields are present, fields that expressions read are present if the chooser says so, all
// others are absent. Results conform to the schema, except for `not` and for limits whose samples are unknown: callers with a validator
// check.

import { isRecord, own, setOwn } from "@celadon/base";
import { type RefinedSchema, refine, withBranches } from "@celadon/kube/facts";
import type { Schema } from "@celadon/kube/schemas";
import type { Chooser } from "./chooser.ts";
import { listSizes, mapKeys, mapSizes, spread, vary } from "./collections.ts";
import type { Focus } from "./focus.ts";
import { numberCandidates } from "./numbers.ts";
import { textCandidates } from "./texts.ts";

export interface GenerateOptions {
  readonly chooser: Chooser;
  /** The fields that expressions read; without it, all fields are of interest, down to a depth. */
  readonly focus?: Focus;
  /** The content of every object: names, labels that a selector requires. */
  readonly least?: Readonly<Record<string, unknown>>;
  /** Whether fields that a server sets by default are present when they are read; true by default. */
  readonly serverDefaults?: boolean;
  /** Whether values that no schema describes have the types that expressions expect, and no others. */
  readonly asExpected?: boolean;
  /** About how many bytes of JSON it may have: lists and maps end there. */
  readonly room?: number;
}

export type Generated = Record<string, unknown>;

export function generateObject(schema: Schema, options: GenerateOptions): Generated {
  const { focus, least } = options;
  const value = new Generator(options, focus === undefined).value(schema, focus, "", least, 0);
  return isRecord(value) ? value : { ...least };
}

/** Under the 1.5 MiB that etcd takes. */
const ROOM = 1_000_000;
/** Without a focus: how deep optional fields are filled in. */
const DEPTH = 6;

const DROPPED_EMPTY: ReadonlySet<string> = new Set(["metadata.labels", "metadata.annotations"]);

class Generator {
  readonly #chooser: Chooser;
  readonly #serverDefaults: boolean;
  readonly #everything: boolean;
  readonly #asExpected: boolean;
  #room: number;

  constructor(options: GenerateOptions, everything: boolean) {
    const { chooser, serverDefaults = true, asExpected = false, room = ROOM } = options;
    this.#room = room;
    this.#chooser = chooser;
    this.#serverDefaults = serverDefaults;
    this.#everything = everything;
    this.#asExpected = asExpected;
  }

  value(given: Schema, focus: Focus | undefined, path: string, least: unknown, depth: number): unknown {
    if (least !== undefined && !isRecord(least)) return least;
    const schema = refine(withBranches(given, (count) => this.#chooser.option(`${path}|`, count)));
    if (least === undefined && given.nullable && this.#chooser.option(`${path}?`, 2) === 1) return null;
    if (schema.enum !== undefined && least === undefined) return this.#pick(path, enumCandidates(schema, focus));
    if (schema.intOrString || schema.format === "int-or-string") return this.#pick(path, intOrString(schema, focus));
    switch (schema.type) {
      case "object":
        return this.#object(schema, focus, path, least, depth);
      case "array":
        return this.#list(schema, focus, path, depth);
      case "string":
        return this.#pick(path, textCandidates(schema, focus));
      case "integer":
      case "number":
        return this.#pick(path, numberCandidates(schema, focus));
      case "boolean":
        return this.#pick(path, [true, false]);
      default:
        return this.#unknown(schema, focus, path, least, depth);
    }
  }

  #pick(path: string, candidates: readonly unknown[]): unknown {
    const value = candidates[this.#chooser.option(path, candidates.length)] ?? candidates[0] ?? null;
    this.#room -= 8 + (typeof value === "string" ? value.length : 0);
    return value;
  }

  #object(schema: RefinedSchema, focus: Focus | undefined, path: string, given: unknown, depth: number): Generated {
    const least = leastOf(schema, given);
    const object: Generated = {};
    const required = new Set(schema.required);
    for (const [name, property] of schema.properties ?? []) {
      const below = path === "" ? name : `${path}.${name}`;
      const fixed = own(least, name);
      const child = focus?.children.get(name);
      const preset = this.#serverDefaults && child !== undefined ? own(schema.always, name) : undefined;
      if (fixed === undefined && preset !== undefined && !isRecord(preset)) {
        const value =
          this.#chooser.option(`${below}~`, 2) === 0 ? preset : this.value(property, child, below, fixed, depth + 1);
        setOwn(object, name, value);
        continue;
      }
      const wanted = child !== undefined || (this.#everything && depth < DEPTH);
      const forced = fixed !== undefined || preset !== undefined || required.has(name);
      if (!forced && !(wanted && this.#chooser.present(below))) continue;
      setOwn(object, name, this.value(property, child, below, fixed, depth + 1));
    }
    for (const [name, fixed] of Object.entries(least ?? {}))
      if (!Object.hasOwn(object, name)) setOwn(object, name, fixed);
    this.#further(schema, focus, path, object, depth);
    this.#fill(schema, path, object, depth);
    return object;
  }

  /** Members that no property names: of maps, and of objects that keep unknown fields. */
  #further(schema: RefinedSchema, focus: Focus | undefined, path: string, object: Generated, depth: number): void {
    const { additionalProperties = false, preserveUnknownFields, maxProperties = Infinity } = schema;
    const values = additionalProperties === true || preserveUnknownFields ? ANYTHING : additionalProperties;
    if (!values) return;
    // counted along: counting a map of thousands anew for every member is most of a run
    let count = Object.keys(object).length;
    const add = (key: string, child: Focus | undefined): void => {
      if (Object.hasOwn(object, key) || count >= maxProperties || this.#room <= 0) return;
      count++;
      const place = path === "" ? key : `${path}.${key}`;
      setOwn(object, key, this.value(values, child, place, undefined, depth + 1));
      this.#room -= key.length;
    };
    const named = [...(focus?.children ?? [])].filter(([key]) => !schema.properties?.has(key));
    const fits = mapKeys(schema, focus);
    for (const [key, child] of named) if (fits.accepts(key) && this.#chooser.present(`${path}.${key}`)) add(key, child);
    if (preserveUnknownFields && focus?.itemsIfRead === undefined) return;
    const sizes = mapSizes(schema, focus, this.#everything);
    const more = sizes[this.#chooser.option(`${path}#`, sizes.length)] ?? 0;
    const keys = fits.keys(more, this.#chooser.option(`${path}=`, fits.starts));
    for (const key of keys) add(key, focus?.itemsIfRead);
    // A server drops these when they are empty: if the required keys are absent, another is present.
    const [other] = fits.keys(1, 0);
    if (count === 0 && named.length > 0 && DROPPED_EMPTY.has(path) && other !== undefined) add(other, undefined);
  }

  /** Adds the properties that are missing to `minProperties`. */
  #fill(schema: RefinedSchema, path: string, object: Generated, depth: number): void {
    const { minProperties = 0, properties, additionalProperties } = schema;
    let missing = minProperties - Object.keys(object).length;
    for (const [name, property] of properties ?? []) {
      if (missing <= 0) return;
      if (Object.hasOwn(object, name)) continue;
      setOwn(object, name, this.value(property, undefined, `${path}.${name}`, undefined, depth + 1));
      missing--;
    }
    if (!additionalProperties) return;
    const values = additionalProperties === true ? ANYTHING : additionalProperties;
    for (let i = 0; missing > 0; i++) {
      const key = `k${i}`;
      if (Object.hasOwn(object, key)) continue;
      setOwn(object, key, this.value(values, undefined, `${path}.${key}`, undefined, depth + 1));
      missing--;
    }
  }

  #list(schema: RefinedSchema, focus: Focus | undefined, path: string, depth: number): unknown[] {
    const { items = ANYTHING, minItems = 0 } = schema;
    const sizes = listSizes(schema, focus, this.#everything);
    const size = sizes[this.#chooser.option(`${path}#`, sizes.length)] ?? minItems;
    const list: unknown[] = [];
    const seen = new Set<string>();
    for (let i = 0; i < size; i++) {
      if (this.#room <= 0 && i >= minItems) break;
      const made = this.value(items, focus?.itemsIfRead, `${path}.*`, undefined, depth + 1);
      const element = vary(schema, size > 2 ? spread(items, made, i) : made, i, seen);
      if (element === undefined) break;
      list.push(element.value);
    }
    return list;
  }

  /** A value without schema: first those that the expressions seem to expect, then one of every type. */
  #unknown(schema: RefinedSchema, focus: Focus | undefined, path: string, least: unknown, depth: number): unknown {
    const object = (): unknown =>
      this.#object({ ...schema, type: "object", preserveUnknownFields: true }, focus, path, least, depth);
    if (least !== undefined) return object();
    const list = (): unknown => this.#list({ ...schema, type: "array" }, focus, path, depth);
    const text = (): unknown => this.#pick(`${path}=`, textCandidates({}, focus));
    const number = (): unknown => this.#pick(`${path}=`, numberCandidates({}, focus));
    const kinds: (() => unknown)[] = [text, number, () => true, () => ({}), () => []];
    if (focus !== undefined && focus.children.size > 0) kinds.unshift(object);
    if (focus?.itemsIfRead !== undefined) kinds.unshift(list);
    if (focus?.isLeaf && focus.texts.size === 0 && focus.numbers.size > 0) kinds.unshift(number);
    return kinds[this.#asExpected ? 0 : this.#chooser.option(path, kinds.length)]!();
  }
}

const ANYTHING: Schema = {};

/** The content of every object of a schema. */
export function leastOf(schema: RefinedSchema, given: unknown): Readonly<Record<string, unknown>> | undefined {
  const parts = [schema.embeddedResource ? EMBEDDED : undefined, schema.least, given].filter(isRecord);
  return parts.length <= 1 ? parts[0] : parts.reduce(joinLeast);
}

const EMBEDDED = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

/** Both, the second one's where they differ. */
function joinLeast(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const joined: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const mine = own(a, key);
    setOwn(joined, key, isRecord(mine) && isRecord(value) ? joinLeast(mine, value) : value);
  }
  return joined;
}

function enumCandidates({ enum: allowed = [] }: Schema, focus: Focus | undefined): readonly unknown[] {
  const read = allowed.filter((value) => typeof value === "string" && focus?.texts.has(value));
  return [...new Set([...allowed.slice(0, 1), ...read, ...allowed])];
}

function intOrString(schema: Schema, focus: Focus | undefined): readonly unknown[] {
  const { minimum, maximum, pattern, maxLength, minLength } = schema;
  const texts = textCandidates(
    {
      ...(pattern !== undefined && { pattern }),
      ...(maxLength !== undefined && { maxLength }),
      ...(minLength !== undefined && { minLength }),
    },
    focus,
  );
  const numbers = numberCandidates(
    {
      type: "integer",
      format: "int32",
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    },
    focus,
  );
  const percent = pattern === undefined && maxLength === undefined ? ["50%", "http"] : [];
  return [...numbers.slice(0, 1), ...percent, ...texts, ...numbers.slice(1)];
}
