// Two schemas walked side by side, by what data they describe: properties by name, items, values of maps.

import { type JsonSchema, propertiesOf, propertyOf, valuesOf } from "../schema/json-schema.ts";

export interface SchemaPair {
  /** `spec.ports[*].name`; empty for the root. */
  readonly field: string;
  readonly was: JsonSchema | undefined;
  readonly now: JsonSchema | undefined;
  /** The closest part, this one included, that is recognised as the same in an updated object; undefined for the root. */
  readonly anchor: string | undefined;
}

/** Every part that either schema describes; below a part that only one has, nothing more. */
export function schemaPairs(was: JsonSchema, now: JsonSchema): Generator<SchemaPair> {
  return walk({ field: "", was, now, anchor: undefined }, { all: false, loose: false });
}

/** The same with all that is below a part that only one schema has. */
export function allSchemaPairs(was: JsonSchema | undefined, now: JsonSchema | undefined): Generator<SchemaPair> {
  return walk({ field: "", was, now, anchor: undefined }, { all: true, loose: false });
}

interface Walk {
  readonly all: boolean;
  /** Inside items without an old value: the list itself is compared instead. */
  readonly loose: boolean;
}

function* walk(pair: SchemaPair, { all, loose }: Walk): Generator<SchemaPair> {
  yield pair;
  const { was, now, field, anchor } = pair;
  if (!all && (was === undefined || now === undefined)) return;
  const names = new Set([...propertiesOf(was ?? {}), ...propertiesOf(now ?? {})].map(([name]) => name));
  for (const name of names) {
    const child = field === "" ? name : `${field}.${name}`;
    const [before, after] = [was && propertyOf(was, name), now && propertyOf(now, name)];
    yield* walk({ field: child, was: before, now: after, anchor: loose ? anchor : child }, { all, loose });
  }
  const each = `${field}[*]`;
  const [oldItems, items] = [was?.items, now?.items];
  if (oldItems ?? items) {
    const free = loose || (now ?? was)?.["x-kubernetes-list-type"] !== "map";
    yield* walk({ field: each, was: oldItems, now: items, anchor: free ? anchor : each }, { all, loose: free });
  }
  const [oldValues, values] = [was && valuesOf(was), now && valuesOf(now)];
  if (oldValues ?? values)
    yield* walk({ field: each, was: oldValues, now: values, anchor: loose ? anchor : each }, { all, loose });
}
