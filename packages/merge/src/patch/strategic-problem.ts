// Why a strategic merge patch cannot be applied, in the words of apimachinery pkg/util/mergepatch/errors.go.

import { formatGoValue, goTypeName } from "@celadon/base";
import { formOf, type JsonMap } from "../value/value.ts";
import { DIRECTIVE } from "./directives.ts";

export class StrategicProblem {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export const BAD_PRIMITIVE_LIST: StrategicProblem = new StrategicProblem("invalid patch format of primitive list");
export const BAD_RETAIN_KEYS: StrategicProblem = new StrategicProblem("invalid patch format of retainKeys");
export const BAD_SET_ORDER: StrategicProblem = new StrategicProblem("invalid patch format of setElementOrder list");
export const UNSUPPORTED: StrategicProblem = new StrategicProblem("strategic merge patch format is not supported");
export const NO_LIST_OF_LISTS: StrategicProblem = new StrategicProblem("lists of lists are not supported");

export function noMergeKey(item: JsonMap, key: string): StrategicProblem {
  return new StrategicProblem(`map: ${formatGoValue(item)} does not contain declared merge key: ${key}`);
}

/** A problem if two values are not of one type in Go. */
export function badArgument(expected: unknown, actual: unknown): StrategicProblem | undefined {
  if (formOf(expected) === formOf(actual)) return undefined;
  return new StrategicProblem(`expected a ${goTypeName(expected)}, but received a ${typeText(actual)}`);
}

function typeText(value: unknown): string {
  return value === null ? "%!s(<nil>)" : goTypeName(value);
}

export function unknownDirective(item: JsonMap): StrategicProblem {
  return new StrategicProblem(`unknown patch type: ${shown(item[DIRECTIVE])} in map: ${formatGoValue(item)}`);
}

/** `%s` of a value that should be a text. */
function shown(value: unknown): string {
  switch (formOf(value)) {
    case "string":
      return value as string;
    case "null":
      return "%!s(<nil>)";
    case "list":
    case "map":
      return formatGoValue(value);
    default:
      return `%!s(${goTypeName(value)}=${formatGoValue(value)})`;
  }
}
