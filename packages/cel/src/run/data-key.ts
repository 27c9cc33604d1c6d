// Which property names can be read from data directly. Names that JavaScript's own objects have (`constructor`, `length`,
// `values`) and names that are array indexes are read by own property only, after looking at what the object is.

const NATIVE_PROTOTYPES: readonly object[] = [
  Object.prototype,
  Array.prototype,
  Uint8Array.prototype,
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  ArrayBuffer.prototype,
  Map.prototype,
  Set.prototype,
  Date.prototype,
];

const NATIVE_NAMES: ReadonlySet<string> = new Set(NATIVE_PROTOTYPES.flatMap((prototype) => Object.getOwnPropertyNames(prototype)));

/** True when `object[key]` finds nothing but data, whatever kind of object it is. */
export function isDataKey(key: string): boolean {
  return /^[A-Za-z_]/.test(key) && !NATIVE_NAMES.has(key);
}
