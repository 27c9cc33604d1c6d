// The name of an object.

import type { Subject } from "./answer.ts";
import { oneLine } from "./visible.ts";

/** `Deployment shop/web` */
export function subjectText({ kind, namespace, name }: Subject): string {
  return oneLine(`${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`);
}
