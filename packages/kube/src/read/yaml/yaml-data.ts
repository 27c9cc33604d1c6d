// YAML scalars → data and keys, for both YAML readers. Undefined where there is no such value or key; the callers say so
// in their own ways.

import { doubleValue } from "../number.ts";
import type { ReadSettings } from "../options.ts";
import { floatKeyText, type YamlScalar } from "./yaml-scalar.ts";

/** The scalar as data; undefined for an infinite or undefined number, which JSON cannot hold. */
export function scalarValue(scalar: YamlScalar, settings: ReadSettings): unknown {
  switch (scalar.kind) {
    case "null":
      return null;
    case "int":
      return integerValue(scalar.value);
    case "float":
      if (!Number.isFinite(scalar.value)) return undefined;
      if (settings.foldYamlDoubles && Number.isInteger(scalar.value) && Math.abs(scalar.value) < 2 ** 63) {
        // Go writes the shortest digits that give the double, and reads those.
        return integerValue(BigInt(String(scalar.value)));
      }
      return doubleValue(scalar.value, settings.double);
    default:
      return scalar.value;
  }
}

// A uint64 that is no int64 is decoded as a double.
function integerValue(value: bigint): number | bigint {
  const n = Number(value);
  if (Number.isSafeInteger(n)) return n;
  return BigInt.asIntN(64, value) === value ? value : n;
}

/** The scalar as a key; undefined if Kubernetes takes no such key. */
export function keyTextOf(scalar: YamlScalar): string | undefined {
  switch (scalar.kind) {
    case "str":
      return scalar.value;
    case "bool":
      return String(scalar.value);
    case "float":
      return floatKeyText(scalar.value);
    case "int":
      return BigInt.asIntN(64, scalar.value) === scalar.value ? String(scalar.value) : undefined;
    case "null":
      return undefined;
  }
}
