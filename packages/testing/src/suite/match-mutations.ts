// Expected mutations against actual ones, in order. Only a change of the object counts: a patch without effect is not a mutation.

import { mutationSteps } from "@celadon/admission/chain";
import { changesBetween, pointerOf } from "@celadon/merge";
import type { Outcome } from "@celadon/simulator";
import type { Difference } from "./compare.ts";
import type { ExpectedMutation } from "./read/document.ts";
import { missedIn } from "./subset.ts";

/** A mutation as a suite would write it. */
export function mutationsMade({
  mutated,
}: Outcome): readonly (ExpectedMutation & { readonly patch: readonly Operation[] })[] {
  return mutationSteps(mutated).flatMap(({ by, outcome, before, after }) => {
    if (outcome !== "changed") return [];
    const patch = changesBetween(before, after).map(
      ({ op, path, value }): Operation => ({ op, path: pointerOf(path), ...(op !== "remove" && { value }) }),
    );
    if (by.kind === "MutatingWebhookConfiguration") return [{ policy: by.name, binding: by.webhook, patch }];
    const { name, binding, params, index } = by;
    return [{ policy: name, binding, ...(params !== undefined && { params }), mutation: index, patch }];
  });
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

export function compareMutations(expected: number | readonly ExpectedMutation[], outcome: Outcome): Difference[] {
  const made = mutationsMade(outcome);
  const good =
    typeof expected === "number"
      ? expected === made.length
      : expected.length === made.length && expected.every((mutation, i) => isSuch(mutation, made[i]!));
  if (good) return [];
  const text = typeof expected === "number" ? String(expected) : expected.map(shown).join("\n") || "none";
  return [{ aspect: "mutations", expected: text, actual: made.map(shown).join("\n") || "none" }];
}

function isSuch(expected: ExpectedMutation, made: ExpectedMutation): boolean {
  const { patch, ...about } = expected;
  const named = Object.entries(about).every(([key, value]) => made[key as keyof ExpectedMutation] === value);
  return named && (patch === undefined || sameOperations(patch, made.patch ?? []));
}

/** In any order: the members of an object have none. */
function sameOperations(expected: readonly unknown[], made: readonly unknown[]): boolean {
  const left = [...made];
  return (
    expected.length === made.length &&
    expected.every((value) => {
      const at = left.findIndex((other) => sameValue(value, other));
      if (at !== -1) left.splice(at, 1);
      return at !== -1;
    })
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  return missedIn(a, b).length === 0 && missedIn(b, a).length === 0;
}

function shown(mutation: ExpectedMutation): string {
  return JSON.stringify(mutation, (_, value) => (typeof value === "bigint" ? Number(value) : value));
}
