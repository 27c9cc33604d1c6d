// Everything the engine ships, in its newest version.

import {
  bindingsLibrary,
  blockLibrary,
  twoVariableLibrary,
  encodersLibrary,
  type Library,
  listsLibrary,
  mathLibrary,
  networkLibrary,
  optionalLibrary,
  regexLibrary,
  setsLibrary,
  stringsLibrary,
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
