// cel.lib.std: the library of every environment. The rows are in standard/, by theme. Macros are the parser's.

import { BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT } from "../value/type.ts";
import type { Library } from "./library.ts";
import { conversions, olderConversions } from "./standard/conversions.ts";
import { functions, olderFunctions } from "./standard/functions.ts";
import { operators } from "./standard/operators.ts";
import { numericOrdering, ordering } from "./standard/ordering.ts";
import { timeFunctions } from "./standard/time.ts";

/** The functions and types that every environment has. */
export const standardLibrary: Library = {
  name: "cel.lib.std",
  types: [BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT],
  overloads: [...operators, ...ordering, ...conversions, ...functions, ...timeFunctions],
  older: [...olderConversions, ...olderFunctions],
};

/** `<`, `<=`, `>`, `>=` between int, uint and double. At run time they work between dynamic values in any case. */
export const numericComparisons: Library = { name: "cel.lib.std.numeric", overloads: numericOrdering };
