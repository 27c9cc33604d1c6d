// Everything the engine ships, in its newest version.

import type { Library } from "@celadon/cel";
import {
  bindingsLibrary,
  blockLibrary,
  encodersLibrary,
  listsLibrary,
  mathLibrary,
  networkLibrary,
  optionalLibrary,
  regexLibrary,
  setsLibrary,
  stringsLibrary,
  twoVariableLibrary,
} from "@celadon/cel/lib";

export const libraries: readonly Library[] = [
  optionalLibrary(),
  bindingsLibrary(),
  blockLibrary,
  twoVariableLibrary,
  encodersLibrary,
  listsLibrary(),
  mathLibrary(),
  networkLibrary,
  regexLibrary,
  setsLibrary,
  stringsLibrary(),
];
