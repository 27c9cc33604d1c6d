// All words of the type checker. They are the reference implementation's, because people compare.

import type { Issue } from "../ast/issue.ts";
import type { Span } from "../ast/source.ts";
import { formatSignature } from "../types/format-signature.ts";
import { formatType, type Type } from "../value/type.ts";

/** The place of an issue: nowhere when the tree came without positions. */
type Place = Span | undefined;

export function undeclaredReference(place: Place, name: string, container: string): Issue {
  const message = `undeclared reference to '${name}' (in container '${container}')`;
  return { ...issue("undeclared_reference", place, message), name };
}

export function noMatchingOverload(place: Place, name: string, args: readonly Type[], member: boolean): Issue {
  const message = `found no matching overload for '${name}' applied to '${formatSignature(args, member)}'`;
  return { ...issue("no_matching_overload", place, message), name, kinds: args.map(({ kind }) => kind) };
}

export function typeMismatch(place: Place, expected: Type, actual: Type): Issue {
  const message = `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;
  return { ...issue("type_mismatch", place, message), name: formatType(actual), kinds: [expected.kind, actual.kind] };
}

export function undefinedField(place: Place, field: string, known: readonly string[]): Issue {
  return { ...issue("undefined_field", place, `undefined field '${field}'`), name: field, known };
}

export function noFieldSelection(place: Place, type: Type): Issue {
  const message = `type '${formatType(type)}' does not support field selection`;
  return { ...issue("no_field_selection", place, message), kinds: [type.kind] };
}

export function notARange(place: Place, type: Type): Issue {
  return issue(
    "not_a_range",
    place,
    `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
  );
}

export function notAType(place: Place, name: string): Issue {
  return issue("not_a_type", place, `'${name}' is not a type`);
}

export function notAMessageType(place: Place, name: string): Issue {
  return issue("not_a_message_type", place, `'${name}' is not a message type`);
}

export function fieldTypeMismatch(place: Place, field: string, expected: Type, actual: Type): Issue {
  return issue(
    "field_type_mismatch",
    place,
    `expected type of field '${field}' is '${formatType(expected)}' but provided type is '${formatType(actual)}'`,
  );
}

export function unresolvedStruct(place: Place, name: string): Issue {
  return issue("unresolved_struct", place, `unexpected failed resolution of '${name}'`);
}

export function badOptionalSelect(place: Place, reason: string): Issue {
  return issue("bad_optional_select", place, `unsupported optional field selection: ${reason}`);
}

export function unexpectedLiteral(place: Place, kind: string): Issue {
  return issue("unexpected_literal", place, `unexpected literal type: ${kind}`);
}

/** Two nodes of a tree share a number and mean different things. */
export function incompatibleType(place: Place, id: number, before: Type, after: Type): Issue {
  return issue(
    "incompatible_type",
    place,
    `incompatible type already exists for expression: (${id}) old:${formatType(before)}, new:${formatType(after)}`,
  );
}

export function referenceRedefinition(place: Place, id: number, before: string, after: string): Issue {
  return issue(
    "reference_redefinition",
    place,
    `reference already exists for expression: (${id}) old:${before}, new:${after}`,
  );
}

/** Ours: limits for trees from elsewhere. */
export function nestedTooDeeply(place: Place, limit: number): Issue {
  return issue("nested_too_deeply", place, `expression is nested more than ${limit} levels deep`);
}

export function typesTooLarge(place: Place): Issue {
  return issue("types_too_large", place, "types of the expression are too large to check");
}

export function issue(code: string, place: Place, message: string): Issue {
  return place === undefined ? { code, message, severity: "error" } : { code, message, span: place, severity: "error" };
}
