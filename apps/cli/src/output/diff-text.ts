// A unified diff in colours, without its last line end.

import type { Paint } from "./paint.ts";
import { visible } from "./visible.ts";

export function diffText(diff: string, paint: Paint): string {
  return diff
    .trimEnd()
    .split("\n")
    .map((line) => {
      const shown = visible(line);
      if (line.startsWith("+++") || line.startsWith("---")) return paint.bold(shown);
      if (line.startsWith("@@")) return paint.cyan(shown);
      return line.startsWith("+") ? paint.green(shown) : line.startsWith("-") ? paint.red(shown) : shown;
    })
    .join("\n");
}
