// The error of Go's encoding/json about JSON of another type than the one wanted.

/** `json: cannot unmarshal string into Go value of type []core.Taint`. */
export function jsonTypeError(value: unknown, into: string): string {
  const names: Readonly<Record<string, string>> = {
    boolean: "bool",
    object: Array.isArray(value) ? "array" : "object",
  };
  return `json: cannot unmarshal ${names[typeof value] ?? typeof value} into Go ${into}`;
}
