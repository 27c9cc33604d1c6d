// `-o text`: the output of a command for people, as it comes.

import type { CommandReport } from "./answer.ts";
import type { Setting } from "./formats.ts";
import type { Text } from "./pieces.ts";

export function render(answer: CommandReport, { paint }: Setting): Text {
  return answer.text(paint);
}
