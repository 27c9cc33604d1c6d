// The changes of an object by mutating policies and webhooks, for people and machines.

import { dataPathText } from "@celadon/cel/explain";
import { type ObjectChange, pointerOf } from "@celadon/merge";
import { mutatorText as mutatorName, type ReviewedMutation } from "@celadon/simulator";
import type { Paint } from "../output/paint.ts";
import { oneLine } from "../output/visible.ts";

/** `mutating policy labels, binding labels, mutations[0]` */
export function mutatorText(mutation: Pick<ReviewedMutation, "by" | "round">): string {
  return oneLine(mutatorName(mutation));
}

/** Only what changed something; errors are problems of their own. */
export function mutationLines(mutations: readonly ReviewedMutation[], paint: Paint): string[] {
  return mutations.flatMap((mutation) => {
    if (mutation.outcome !== "changed") return [];
    const changes = mutation.changes.map((change) => `        ${changeText(change, paint)}`);
    return [`    ${paint.cyan("~ changed")} by ${mutatorText(mutation)}`, ...changes];
  });
}

const SIGNS = { add: "+", remove: "-", replace: "~" } as const;

export function changeText({ op, path, value, old }: ObjectChange, paint: Paint): string {
  const place = oneLine(dataPathText({ root: "", path }).replace(/^\./, ""));
  const text =
    op === "remove"
      ? `${SIGNS[op]} ${place}`
      : op === "add"
        ? `${SIGNS[op]} ${place}: ${shown(value)}`
        : `${SIGNS[op]} ${place}: ${shown(old)} → ${shown(value)}`;
  return op === "add" ? paint.green(text) : op === "remove" ? paint.red(text) : text;
}

const SHOWN = 120;

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? Number(item) : item)) ?? "";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

export function mutationJson({ by, round, outcome, changes, error }: ReviewedMutation): Record<string, unknown> {
  return {
    by,
    round,
    outcome,
    changes: changes.map(({ op, path, value, old }) => ({
      op,
      path: pointerOf(path),
      ...(op !== "remove" && { value }),
      ...(op !== "add" && { old }),
    })),
    ...(error !== undefined && { error }),
  };
}
