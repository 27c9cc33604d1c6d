// cel-go's extension libraries as Kubernetes enables and prices them. Their tables are the engine's; only costs differ.

import type { Library } from "@celadon/cel";
import { stringsLibrary, withCosts } from "@celadon/cel/lib";
import { joining, replacing, scanSame, splitting, walk } from "./costs.ts";

/** ext.Strings in a version: 0 before Kubernetes 1.29, 2 since. */
export function kubeStringsLibrary(version: 0 | 2): Library {
  const priced = withCosts(stringsLibrary(version), {
    indexOf: walk,
    lastIndexOf: walk,
    lowerAscii: scanSame(0),
    upperAscii: scanSame(0),
    substring: scanSame(0),
    trim: scanSame(0),
    replace: replacing,
    split: splitting,
    join: joining,
  });
  return { ...priced, costBy: "function" };
}
