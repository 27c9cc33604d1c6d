// `-o text`: what a verb says to people, as it says it.

import type { Answer } from "./answer.ts";
import type { Setting } from "./formats.ts";
import type { Text } from "./pieces.ts";

export function render(answer: Answer, { paint }: Setting): Text {
  return answer.text(paint);
}
