// What mutating policies and webhooks changed in an object, as people and machines read it.

import { type MutationStep, mutationSteps } from "@celadon/admission/chain";
import { dataPathText } from "@celadon/cel/explain";
import { changesBetween, type ObjectChange, pointerOf } from "@celadon/merge";
import type { Outcome } from "@celadon/simulator";
import type { Paint } from "../output/paint.ts";
import { oneLine } from "../output/visible.ts";

/** One mutation that ran. */
export interface ReviewedMutation {
  readonly by: MutationStep["by"];
  readonly round: 0 | 1;
  readonly outcome: MutationStep["outcome"];
  readonly changes: readonly ObjectChange[];
  readonly error?: string;
}

const NONE: readonly never[] = [];

export function mutationsOf({ mutated }: Outcome): readonly ReviewedMutation[] {
  if (mutated.passes.length === 0) return NONE;
  return mutationSteps(mutated).map(({ by, round, outcome, before, after, error }) => ({
    by,
    round,
    outcome,
    changes: outcome === "changed" ? changesBetween(before, after) : NONE,
    ...(error !== undefined && { error }),
  }));
}

/** `mutating policy labels, binding labels, mutations[0]` */
export function mutatorText({ by, round }: Pick<ReviewedMutation, "by" | "round">): string {
  const again = round === 1 ? " (reinvoked)" : "";
  if (by.kind === "MutatingWebhookConfiguration") return oneLine(`webhook ${by.webhook} of ${by.name}${again}`);
  const params = by.params === undefined ? "" : `, params ${by.params}`;
  return oneLine(`mutating policy ${by.name}, binding ${by.binding}${params}, mutations[${by.index}]${again}`);
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
  const text = JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? Number(one) : one)) ?? "";
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
