// A place in a file, as text.

import type { ShownPlace } from "./answer.ts";
import { oneLine } from "./visible.ts";

export function placeText({ file, line, column }: ShownPlace): string {
  return `${oneLine(file)}:${line}:${column}`;
}
