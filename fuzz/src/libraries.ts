// Everything the engine ships, in its newest version.

import {
  bindingsLibrary,
  blockLibrary,
  encodersLibrary,
  type Library,
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
