// Equality of JSON values, in the two meanings of Go's libraries: of the written values, and of their meaning to an API server.

import { Double } from "./double.ts";
import { isRecord, own } from "./json.ts";

/** Further values that count as equal. */
interface EqualityRules {
  /** Whether a member with this value is as good as absent. */
  isAbsent(value: unknown): boolean;
  /** Whether an integer equals a double of its value. */
  readonly mixesNumbers: boolean;
}

const RULES = {
  deep: { isAbsent: () => false, mixesNumbers: false },
  // An empty map may be a selector of everything, so it is not an absent one.
  semantic: {
    isAbsent: (value) => value === undefined || value === null || (Array.isArray(value) && value.length === 0),
    mixesNumbers: true,
  },
} as const satisfies Record<string, EqualityRules>;

/** Equal as Go's reflect.DeepEqual has it for decoded JSON: whatever the order of members, and an integer is never a double. */
export function deepEqual(a: unknown, b: unknown): boolean {
  return equal(a, b, RULES.deep);
}

/** Equal as the API machinery's Semantic.DeepEqual has it: a field that is absent, null or an empty list is the same. */
export function semanticEqual(a: unknown, b: unknown): boolean {
  return equal(a, b, RULES.semantic);
}

function equal(a: unknown, b: unknown, rules: EqualityRules): boolean {
  if (a === b) return true;
  if (rules.isAbsent(a) || rules.isAbsent(b)) return rules.isAbsent(a) && rules.isAbsent(b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i], rules)) return false;
    return true;
  }
  if (a instanceof Double || b instanceof Double) {
    if (!rules.mixesNumbers && !(a instanceof Double && b instanceof Double)) return false;
    return numberOf(a) === numberOf(b);
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  let shared = 0;
  for (const key of Object.keys(a)) {
    const isShared = Object.hasOwn(b, key);
    if (isShared) shared++;
    if (isShared ? !equal(a[key], b[key], rules) : !rules.isAbsent(a[key])) return false;
  }
  const keys = Object.keys(b);
  return shared === keys.length || keys.every((key) => Object.hasOwn(a, key) || rules.isAbsent(own(b, key)));
}

const numberOf = (value: unknown): unknown => (value instanceof Double ? value.value : value);
