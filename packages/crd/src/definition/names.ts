// Names of a custom resource: plural, singular, kind, list kind, short names, categories.

import { type FieldPath, invalidValue, requiredValue } from "@celadon/kube/errors";
import { checkDns1035Label } from "@celadon/kube/names";
import type { DefinitionNames, Problems } from "./definition.ts";

/** The names that a spec needs but a status may lack. */
export function missingNames(names: DefinitionNames, path: FieldPath): Problems {
  const keys = ["plural", "singular", "kind", "listKind"] as const;
  return keys.filter((key) => !names[key]).map((key) => requiredValue(path.child(key)));
}

export function nameErrors(names: DefinitionNames, path: FieldPath): Problems {
  const errors: Problems = [];
  const check = (at: FieldPath, given: string | undefined, label = given, lead = ""): void => {
    const problems = given ? checkDns1035Label(label ?? "") : [];
    if (problems.length > 0) errors.push(invalidValue(at, given, lead + problems.join(",")));
  };
  const mixedCase = "may have mixed case, but should otherwise match: ";
  check(path.child("plural"), names.plural);
  check(path.child("singular"), names.singular);
  check(path.child("kind"), names.kind, names.kind?.toLowerCase(), mixedCase);
  check(path.child("listKind"), names.listKind, names.listKind?.toLowerCase(), mixedCase);
  names.shortNames?.forEach((name, i) => void checkListed(name, path.child("shortNames").index(i), errors));
  if (names.kind && names.kind === names.listKind) {
    errors.push(invalidValue(path.child("listKind"), names.listKind, "kind and listKind may not be the same"));
  }
  names.categories?.forEach((name, i) => void checkListed(name, path.child("categories").index(i), errors));
  return errors;
}

// An entry of a list is checked even when it is empty.
function checkListed(name: string, path: FieldPath, errors: Problems): void {
  const problems = checkDns1035Label(name);
  if (problems.length > 0) errors.push(invalidValue(path, name, problems.join(",")));
}
