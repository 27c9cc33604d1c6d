// The name of an object.

import type { Subject } from "./answer.ts";
import { oneLine } from "./visible.ts";

/** `Deployment shop/web`; an object without a name, such as options of a connection, is shown by its namespace alone. */
export function subjectText({ kind, namespace, name }: Subject): string {
  if (name === "") return oneLine(namespace === undefined ? kind : `${kind} in namespace ${namespace}`);
  return oneLine(`${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`);
}
