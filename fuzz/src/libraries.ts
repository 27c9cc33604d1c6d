// Everything the engine ships, in its newest version.

import {
  bindingsLibrary,
  blockLibrary,
  comprehensionsLibrary,
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
  comprehensionsLibrary,
  encodersLibrary,
  listsLibrary(),
  mathLibrary(),
  networkLibrary,
  regexLibrary,
  setsLibrary,
  stringsLibrary(),
];
