// A constant text is converted once, when the program is made. One that cannot be converted stays an evaluation error.

import { type CelError, isError, type Value } from "@celadon/cel";

export function constantText<T>(
  convert: (text: string) => T | CelError,
): (constants: readonly Value[]) => (() => T) | undefined {
  return ([text]) => {
    const value = typeof text === "string" ? convert(text) : undefined;
    return value === undefined || isError(value) ? undefined : () => value;
  };
}
