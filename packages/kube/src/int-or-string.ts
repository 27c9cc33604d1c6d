// Int-or-string fields: ports, percentages, counts. The value is the plain number or text itself.

import { quoteGo } from "@celadon/base";
import { Invalid } from "./invalid.ts";

/** A number, or a text such as a percentage or the name of a port. */
export type IntOrString = number | string;

const INT32 = /^[+-]?[0-9]+$/;

/** A decimal number that fits 32 bits becomes a number, everything else stays text. */
export function parseIntOrString(text: string): IntOrString {
  if (!INT32.test(text)) return text;
  const n = Number(text);
  return n >= -2147483648 && n <= 2147483647 ? n + 0 : text;
}

/** The number a value scales to: itself, or its percentage of the total. */
export function scaledIntOrPercent(value: IntOrString, total: number, roundUp: boolean): number | Invalid {
  if (typeof value === "number") return value;
  if (!value.endsWith("%")) {
    return new Invalid("invalid value for IntOrString: invalid type: string is not a percentage");
  }
  const digits = value.slice(0, -1);
  if (!INT32.test(digits)) {
    const cause = `strconv.Atoi: parsing ${quoteGo(digits)}: invalid syntax`;
    return new Invalid(`invalid value for IntOrString: invalid value ${quoteGo(value)}: ${cause}`);
  }
  const part = (Number(digits) * total) / 100;
  return roundUp ? Math.ceil(part) : Math.floor(part);
}
