// The facts about a type that merging needs: which forms a value may have, which lists and maps are merged item by item and which are one
// value. Built-in kinds, custom resources and objects without a schema all become this. Upstream: sigs.k8s.io/structured-merge-diff
// schema/elements.go.

export type Scalar = "numeric" | "string" | "boolean" | "untyped";

/** The forms a value may have. No form at all: nothing is declared here. */
export interface MergeType {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** The merge rules of a list. */
export interface ListType {
  /** Whether items are distinguished by their keys, or by their values where there are no keys; otherwise the list is one value. */
  readonly associative: boolean;
  readonly keys: readonly string[];
  readonly items: MergeType;
}

/** The merge rules of a map. */
export interface MapType {
  /** Whether the whole map is one value. */
  readonly atomic: boolean;
  field(name: string): MergeField | undefined;
  /** The type of members that are no declared fields; undefined: there may be none. */
  readonly others: MergeType | undefined;
  /** Whether the map is known only by its values. */
  readonly deduced: boolean;
}

/** A field of a map. */
export interface MergeField {
  readonly type: MergeType;
  /** The value a list's key has where it is left out. */
  readonly default?: unknown;
}

/** A type without declarations. */
export const UNDECLARED: MergeType = {};

/** The type of a member: its field's, or that of other members. */
export function memberType(map: MapType, name: string): MergeType {
  return map.field(name)?.type ?? map.others ?? UNDECLARED;
}

class FreeMap implements MapType {
  readonly atomic: boolean;
  readonly deduced: boolean;
  others: MergeType = UNDECLARED;

  constructor(atomic: boolean) {
    this.atomic = atomic;
    this.deduced = !atomic;
  }

  field(): undefined {
    return undefined;
  }
}

function free(atomic: boolean): MergeType {
  const map = new FreeMap(atomic);
  const type: MergeType = {
    scalar: "untyped",
    list: { associative: false, keys: [], items: atomic ? (undefined as unknown as MergeType) : UNTYPED },
    map,
  };
  if (atomic) (type.list as { items: MergeType }).items = type;
  map.others = type;
  return type;
}

/** Any value, always taken as a whole. */
export const UNTYPED: MergeType = free(true);

/** Any value; maps are merged member by member, lists are taken as a whole. */
export const DEDUCED: MergeType = free(false);
