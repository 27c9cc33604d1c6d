// Values for the open parts of a path: one of the many objects that take it. Nothing is proved here: the engine decides whether the object
// behaves as expected.

import { Double, isRecord, own, setOwn } from "@celadon/base";
import { type RefinedSchema, refine } from "@celadon/kube/facts";
import type { Schema } from "@celadon/kube/schemas";
import { constant, plus, variable } from "../number/linear.ts";
import { type Interval, max, min, narrowed, valuesFor } from "../number/solver.ts";
import { INFEASIBLE } from "../path/choices.ts";
import type { Path } from "../path/path.ts";
import { find, isOnly, KIND, Node } from "../tree/node.ts";
import { copyOf, minimalValue } from "./minimal.ts";
import { TextChooser } from "./text-chooser.ts";

export class Model {
  readonly #path: Path;
  readonly #texts: TextChooser;
  #numbers: ReadonlyMap<string, bigint> = new Map();
  /** Names in keyed lists: containers of two lists may not share one. */
  readonly #names = new Set<string>();

  constructor(path: Path) {
    this.#path = path;
    this.#texts = new TextChooser(path);
  }

  /** Chooses all numbers; false when none were found. */
  solve(): boolean {
    const { numbers } = this.#path;
    const prefer = new Map<string, readonly bigint[]>();
    for (const node of this.#path.nodes) {
      if (node.alias !== undefined) continue;
      prefer.set(node.size, [BigInt(this.#path.partsOf(node).length)]);
      const hint = node.shape.schema?.minimum;
      if (hint !== undefined && Number.isSafeInteger(hint)) prefer.set(node.number, [BigInt(hint)]);
    }
    const ranges = new Map(numbers.ranges);
    const constraints = [...numbers.constraints];
    // Texts come first: not every length has one.
    for (const [name] of ranges) {
      const text = name.startsWith("length ") ? name.slice("length ".length) : undefined;
      if (text === undefined) continue;
      const left = narrowed(ranges, constraints)?.get(name);
      const chosen = left && this.#texts.choose(this.#path.texts.root(text), left);
      if (chosen === undefined) return false;
      constraints.push({ sum: plus(variable(name), constant(BigInt([...chosen].length)), -1n), is: "zero" });
    }
    const values = valuesFor(ranges, constraints, prefer);
    if (values === undefined) return false;
    this.#numbers = values;
    for (const [name, term] of this.#path.quantities) this.#texts.fixQuantity(term, values.get(name) ?? 0n);
    return true;
  }

  /** Has a text be this one, if nothing speaks against it. */
  prefer(node: Node, text: string): void {
    this.#texts.prefer(this.#path.texts.root(find(node).text), text);
  }

  /** The JSON of a place. `schema` has the known facts about objects that servers accept. */
  json(given: Node, schema: Schema | undefined = given.shape.schema, like?: unknown): unknown {
    const node = find(given);
    const hint = schema && refine(schema);
    const kind = kindOf(node, hint);
    switch (kind) {
      case KIND.map:
        return this.#object(node, hint, isRecord(like) ? like : undefined);
      case KIND.list:
        return this.#list(node, hint, Array.isArray(like) ? like : undefined);
      case KIND.text:
        return typeof like === "string" && this.#isOpen(node) ? like : this.#text(node, hint, NONE);
      case KIND.int:
        return isNumber(like) && !this.#numbers.has(node.number) ? like : this.#number(node, hint);
      case KIND.bool:
        return node.bool ?? (typeof like === "boolean" ? like : false);
      case KIND.double:
        return new Double(0.5);
      default:
        return null;
    }
  }

  /** Whether nothing is known of a text. */
  #isOpen(node: Node): boolean {
    const { texts } = this.#path;
    return (
      texts.languages(node.text).length === 0 &&
      !texts.differing().some((pair) => pair.some(({ variable: name }) => texts.root(name) === texts.root(node.text)))
    );
  }

  #text(node: Node, hint: RefinedSchema | undefined, used: ReadonlySet<string>): string {
    this.#path.textOf(node);
    const root = this.#path.texts.root(node.text);
    const text = this.#texts.choose(root, this.#range(`length ${root}`), hint, used);
    if (text === undefined) throw INFEASIBLE;
    return text;
  }

  #number(node: Node, hint: RefinedSchema | undefined): number | bigint {
    const chosen = this.#numbers.get(node.number);
    const { least, most } = node.shape.numbers;
    const start = BigInt(Math.ceil(hint?.minimum ?? 0));
    const value = chosen ?? max(least, min(start, most));
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
  }

  #range(name: string): Interval {
    return this.#path.numbers.ranges.get(name) ?? { least: 0n, most: 3_145_728n };
  }

  #object(
    node: Node,
    hint: RefinedSchema | undefined,
    like: Readonly<Record<string, unknown>> | undefined,
  ): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const values = typeof hint?.additionalProperties === "object" ? hint.additionalProperties : undefined;
    const schemaOf = (name: string): Schema | undefined => hint?.properties?.get(name) ?? values;
    for (const [name, field] of node.fields)
      if (field.presence === "present") setOwn(object, name, this.json(field, schemaOf(name), like && own(like, name)));
    const keys = new Set(Object.keys(object));
    for (const entry of node.entries) {
      if (!(entry.key instanceof Node)) continue;
      const name = this.#text(find(entry.key), keyHint(hint), keys);
      keys.add(name);
      setOwn(object, name, this.json(entry, values));
    }
    const absent = (name: string): boolean => node.fields.get(name)?.presence === "absent";
    const isCounted = this.#numbers.has(node.size) || node.universals.length > 0;
    for (const [name, value] of Object.entries(like ?? {}))
      if (!Object.hasOwn(object, name) && !absent(name) && !isCounted) setOwn(object, name, copyOf(value));
    for (const name of new Set([...(hint?.required ?? []), ...node.shape.required])) {
      if (Object.hasOwn(object, name) || absent(name)) continue;
      const property = hint?.properties?.get(name);
      const isOwn = own(hint?.least ?? {}, name) !== undefined;
      if (property !== undefined && !hasServerDefault(hint, name) && !(isOwn && property.type !== "object"))
        addMinimal(object, name, minimalValue(property), hint?.required?.includes(name) === true);
    }
    if (!hasHandler(hint, object)) addLeast(object, hint?.least, absent);
    this.#fill(node, hint, object);
    return object;
  }

  /** Members that must be there because of their number alone. */
  #fill(node: Node, hint: RefinedSchema | undefined, object: Record<string, unknown>): void {
    const size = Number(this.#numbers.get(node.size) ?? max(node.shape.sizes.least, BigInt(hint?.minProperties ?? 0)));
    const values = hint?.additionalProperties;
    if (values === false || (values === undefined && hint?.properties !== undefined)) return;
    for (let i = 0; Object.keys(object).length < size && i < size + 8; i++) {
      const name = `k${i}`;
      if (!Object.hasOwn(object, name)) setOwn(object, name, isRecord(values) ? minimalValue(values as Schema) : "a");
    }
  }

  #list(node: Node, hint: RefinedSchema | undefined, like: readonly unknown[] | undefined): unknown[] {
    const isFree = node.elements.length === 0 && node.universals.length === 0 && !this.#numbers.has(node.size);
    if (like !== undefined && isFree) return like.map(copyOf);
    const places = this.#positions(node);
    const keys = hint?.listType === "map" ? (hint.listMapKeys ?? []) : hint?.listType === "set" ? [""] : [];
    const used = new Set<string>();
    const list: unknown[] = [];
    const make = (element: Node | undefined, i: number): unknown => {
      const items = hint?.items ?? node.shape.items.schema;
      const taken = new Set([...used, ...this.#names]);
      if (element === undefined) return items === undefined ? "a" : minimalValue(items, taken);
      const place = find(element);
      for (const key of keys) if (key !== "") this.#keyField(place, key, taken, items);
      if (keys.includes("") && isOnly(place, KIND.text)) return this.#text(place, items && refine(items), used);
      return this.json(place, items, like?.[i]);
    };
    // Those whose keys are decided first: the others have to avoid them.
    const order = [...places.keys()].sort(
      (a, b) => this.#decidedKeys(places[b], keys) - this.#decidedKeys(places[a], keys),
    );
    for (const i of order) {
      const item = make(places[i], i);
      list[i] = item;
      for (const key of keys) {
        const value = key === "" ? item : isRecord(item) ? own(item, key) : undefined;
        if (typeof value !== "string") continue;
        used.add(value);
        if (key === "name") this.#names.add(value);
      }
    }
    return list;
  }

  #decidedKeys(element: Node | undefined, keys: readonly string[]): number {
    if (element === undefined) return 0;
    return keys.filter((key) => {
      const field = find(element).fields.get(key);
      return field !== undefined && this.#path.texts.languages(field.text).length > 0;
    }).length;
  }

  /** The key of an element of a keyed list differs from those of the others. */
  #keyField(element: Node, key: string, used: ReadonlySet<string>, items: Schema | undefined): void {
    const field = this.#path.field(element, key);
    if (field === undefined || (find(field).kinds & KIND.text) === 0) return;
    if (field.presence === "absent") return;
    field.presence = "present";
    const hint = items && refine(items).properties?.get(key);
    this.#text(find(field), hint && refine(hint), used);
  }

  /** Elements in their places; a gap is filled with anything. */
  #positions(node: Node): (Node | undefined)[] {
    const size = this.#numbers.get(node.size);
    const highest = Math.max(-1, ...node.indexes.keys());
    const least = Math.max(node.elements.length, highest + 1);
    const count = size === undefined || Number(size) < least ? least : Math.min(Number(size), 5000);
    const places: (Node | undefined)[] = Array.from({ length: count });
    const placed = new Set<Node>();
    for (const [index, element] of node.indexes) {
      places[index] = element;
      placed.add(element);
    }
    for (const element of node.elements) {
      if (placed.has(element)) continue;
      const free = places.indexOf(undefined);
      places[free === -1 ? places.length : free] = element;
    }
    return places;
  }
}

const isNumber = (value: unknown): value is number | bigint => typeof value === "number" || typeof value === "bigint";

/** Whether one of the alternative members of a type is present, such as the source of a volume. */
function hasHandler(hint: RefinedSchema | undefined, object: Readonly<Record<string, unknown>>): boolean {
  return hint?.oneOfMembers?.some((name) => Object.hasOwn(object, name)) ?? false;
}

function keyHint(hint: RefinedSchema | undefined): RefinedSchema {
  return hint?.keyPattern === undefined ? KEY : { ...KEY, pattern: `${KEY.pattern}` };
}

const NONE: ReadonlySet<string> = new Set();
const KEY: RefinedSchema = { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" };

/** The kind among several that people would write there. */
function kindOf(node: Node, hint: RefinedSchema | undefined): number {
  const { kinds } = node;
  if (node.fields.size + node.entries.length > 0 && (kinds & KIND.map) !== 0) return KIND.map;
  if (node.elements.length > 0 && (kinds & KIND.list) !== 0) return KIND.list;
  if (hint?.properties !== undefined && (kinds & KIND.map) !== 0) return KIND.map;
  const order = [KIND.text, KIND.int, KIND.list, KIND.map, KIND.bool, KIND.double, KIND.null];
  return order.find((kind) => (kinds & kind) !== 0) ?? KIND.null;
}

function hasServerDefault(hint: RefinedSchema | undefined, name: string): boolean {
  return hint?.always !== undefined && Object.hasOwn(hint.always, name);
}

/** A struct that is always written is no part of a small object. */
function addMinimal(object: Record<string, unknown>, name: string, value: unknown, isRequired: boolean): void {
  if (isRequired || !isRecord(value) || Object.keys(value).length > 0) setOwn(object, name, value);
}

function addLeast(
  object: Record<string, unknown>,
  least: Readonly<Record<string, unknown>> | undefined,
  absent: (name: string) => boolean,
): void {
  for (const [name, value] of Object.entries(least ?? {})) {
    if (absent(name)) continue;
    const mine = own(object, name);
    if (mine === undefined) setOwn(object, name, copyOf(value));
    else if (isRecord(mine) && isRecord(value)) addLeast(mine, value, () => false);
  }
}
