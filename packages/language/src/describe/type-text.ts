// Types as people are shown them.

import { formatType, type Type } from "@celadon/cel";

/** Types made of schemas are named by their place; people know them as objects. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case "struct":
      return /^(kubernetes|google|net|cm)\./.test(type.name) ? type.name : "object";
    case "list":
      return `list(${typeText(type.params[0] ?? type)})`;
    case "map":
      return `map(${type.params.map(typeText).join(", ")})`;
    default:
      return formatType(type);
  }
}
