// A Kubernetes library value beside a value of another type: not unequal, but an error. An error on that side stays itself.

import { type CelError, isError, type Value } from "@celadon/cel";
import { noSuchOverload } from "@celadon/cel/values";

export function equalityUnsupported(other: Value): CelError {
  return isError(other) ? other : noSuchOverload();
}
