import { expect, test } from "vitest";
import { parseIntOrString, scaledIntOrPercent } from "./int-or-string.ts";
import { Invalid } from "./invalid.ts";

// biome-ignore format: one case per line
test.each([
  ["80", 80], ["-1", -1], ["+5", 5], ["2147483647", 2147483647], ["2147483648", "2147483648"], ["http", "http"],
  ["50%", "50%"], ["", ""], ["1.5", "1.5"],
])("parse %s", (text, want) => expect(parseIntOrString(text)).toBe(want));

// biome-ignore format: one case per line
test.each([
  [7, 100, true, 7],
  ["25%", 10, true, 3],
  ["25%", 10, false, 2],
  ["x", 10, true, new Invalid("invalid value for IntOrString: invalid type: string is not a percentage")],
  ["x%", 10, true, new Invalid('invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax')],
] as const)("scale %s of %d", (value, total, roundUp, want) => expect(scaledIntOrPercent(value, total, roundUp)).toEqual(want));
