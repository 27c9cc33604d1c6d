// Who answers an object differently, and what each of them changes: a policy that only warns is not why an object is newly denied.

import type { ChangeKind, OutcomeChange, ProblemChange } from "@celadon/simulator/diff";
import { speakerName } from "../outcome/names.ts";

export interface Speaker {
  /** `policy trusted-images`, `crd queues.example.com`, or a system that has no resource: `schema`. */
  readonly name: string;
  readonly kind: ChangeKind;
}

export const NOBODY = "api server";

export function speakersOf(change: OutcomeChange): readonly Speaker[] {
  const { problems, policies, webhooks, annotations } = change;
  const byName = new Map<string, ProblemChange[]>();
  for (const problem of problems) {
    const name = nameOfChange(problem);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [problem]);
    else known.push(problem);
  }
  const found = new Map<string, ChangeKind>();
  for (const [name, own] of byName) found.set(name, kindFor(change.kind, own));
  const add = (name: string, kind: ChangeKind): void => {
    if (!found.has(name)) found.set(name, kind);
  };
  for (const { key } of annotations) if (!isFailureKey(key)) add(`policy ${key.split("/", 1)[0]}`, "audit");
  for (const name of [...policies.removed, ...policies.added]) add(`policy ${name}`, "matching");
  for (const name of [...webhooks.removed, ...webhooks.added]) add(`webhooks ${name.split("/", 1)[0]}`, "webhooks");
  if (found.size === 0) add(NOBODY, change.kind);
  return [...found].map(([name, kind]) => ({ name, kind }));
}

export function nameOfChange({ was, now }: ProblemChange): string {
  return speakerName((now ?? was)!);
}

function kindFor(whole: ChangeKind, own: readonly ProblemChange[]): ChangeKind {
  const has = (test: (problem: NonNullable<ProblemChange["now"]>) => boolean): boolean =>
    own.some(({ was, now }) => (was !== undefined && test(was)) || (now !== undefined && test(now)));
  if (has(({ level }) => level === "deny")) return whole;
  if (has(({ by }) => by?.error === true)) return "error";
  return has(({ level }) => level === "warn" || level === "warning") ? "warnings" : "audit";
}

/** The annotation that says what failures say already. */
export const isFailureKey = (key: string): boolean => key === "validation.policy.admission.k8s.io/validation_failure";
