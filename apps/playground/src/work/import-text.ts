// Reports an import: the objects and the panes that they went to.

import type { WorkText } from "@celadon/language/playground";
import type { Sorted } from "../model/answer.ts";
import { h } from "../view/dom.ts";
import type { ModeWords } from "../view/modes.ts";

/** Objects of a pane that are named. */
const NAMED = 3;

export function importText(
  { placed, work }: Sorted,
  words: ModeWords,
  problems: readonly string[],
): readonly (Node | string)[] {
  const titles: Readonly<Record<WorkText, string>> = {
    policy: words.policy,
    object: words.object,
    oldObject: "Old object",
    tests: "Tests",
  };
  const panes = (["policy", "object", "tests"] as const).flatMap((text) => {
    const names = placed.filter((entry) => entry.text === text).map(({ what }) => what);
    if (names.length === 0) return [];
    const rest = names.length - NAMED;
    const shown = names.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
    return [h("span", { class: "import-pane" }, h("b", {}, titles[text]), `: ${shown}. `)];
  });
  const empty = work.object === "" && !placed.some(({ text }) => text === "object");
  return [
    "Imported. ",
    ...panes,
    ...(empty ? [`${titles.object}: nothing was imported, so it is empty. `] : []),
    ...(problems.length > 0 ? [h("span", { class: "tone-bad" }, `Problems: ${problems.join("; ")}.`)] : []),
  ];
}
