// Writes the path of a field for people.

import type { JsonPath } from "@celadon/base";

/** `spec.containers[0].image` */
export function fieldText(path: JsonPath): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
