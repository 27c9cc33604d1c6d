// `-o text`: what a verb says to people, as it says it.

import type { CommandReport } from "./answer.ts";
import type { Setting } from "./formats.ts";
import type { Text } from "./pieces.ts";

export function render(answer: CommandReport, { paint }: Setting): Text {
  return answer.text(paint);
}
