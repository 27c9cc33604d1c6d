// Finds the policies and webhooks that answer an object differently, and the changes of each: a policy that only warns is not why an object
// is newly denied.

import type { CalledWebhook, ChangeKind, Gone, OutcomeChange, ProblemChange } from "@celadon/simulator/diff";
import { speakerName } from "../outcome/names.ts";

export interface ChangeSource {
  /** `policy trusted-images`, `crd queues.example.com`, or a system that has no resource: `schema`. */
  readonly name: string;
  readonly kind: ChangeKind;
  /** The ValidatingAdmissionPolicy it is. */
  readonly policy?: string;
  /** The webhook configuration it is. */
  readonly configuration?: string;
}

const NOBODY = "api server";

export function speakersOf(change: OutcomeChange): readonly ChangeSource[] {
  const { problems, policies, webhooks, annotations } = change;
  const byName = new Map<string, ProblemChange[]>();
  for (const problem of problems) {
    const name = nameOfChange(problem);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [problem]);
    else known.push(problem);
  }
  const found = new Map<string, ChangeSource>();
  for (const [name, own] of byName) found.set(name, { name, kind: kindFor(change.kind, own), ...resourceOf(own[0]!) });
  const add = (speaker: ChangeSource): void => {
    if (!found.has(speaker.name)) found.set(speaker.name, speaker);
  };
  const addPolicy = (policy: string, kind: ChangeKind): void => add({ name: `policy ${policy}`, kind, policy });
  for (const { key } of annotations) if (!isFailureKey(key)) addPolicy(policyOfKey(key), "audit");
  for (const policy of [...policies.removed, ...policies.added]) addPolicy(policy, "matching");
  for (const { configuration } of [...webhooks.removed, ...webhooks.added])
    add({ name: `webhooks ${configuration}`, kind: "webhooks", configuration });
  if (found.size === 0) add({ name: NOBODY, kind: change.kind });
  return [...found.values()];
}

/** The part of a change that comes from one speaker. */
export function partOf(change: OutcomeChange, { name, policy, configuration }: ChangeSource): OutcomeChange {
  if (name === NOBODY) return change;
  const only = <T>(gone: Gone<T>, keep: (item: T) => boolean): Gone<T> => ({
    removed: gone.removed.filter(keep),
    added: gone.added.filter(keep),
  });
  return {
    ...change,
    problems: change.problems.filter((problem) => nameOfChange(problem) === name),
    // Warnings of policies are failures of theirs as well.
    warnings: policy === undefined ? change.warnings : { removed: [], added: [] },
    annotations: change.annotations.filter(({ key }) => policyOfKey(key) === policy),
    policies: only(change.policies, (applied) => applied === policy),
    webhooks: only(change.webhooks, (webhook) => webhook.configuration === configuration),
  };
}

function nameOfChange({ was, now }: ProblemChange): string {
  return speakerName((now ?? was)!);
}

function resourceOf({ was, now }: ProblemChange): Pick<ChangeSource, "policy" | "configuration"> {
  const { by, system } = (now ?? was)!;
  if (by === undefined) return {};
  if (by.kind === "ValidatingAdmissionPolicy") return { policy: by.name };
  return system === "webhook" ? { configuration: by.name } : {};
}

/** Kubernetes writes the policy's name before the `/`. */
const policyOfKey = (key: string): string => key.split("/", 1)[0]!;

function kindFor(whole: ChangeKind, own: readonly ProblemChange[]): ChangeKind {
  const has = (test: (problem: NonNullable<ProblemChange["now"]>) => boolean): boolean =>
    own.some(({ was, now }) => (was !== undefined && test(was)) || (now !== undefined && test(now)));
  if (has(({ level }) => level === "deny")) return whole;
  if (has(({ by }) => by?.error === true)) return "error";
  return has(({ level }) => level === "warn" || level === "notice") ? "warnings" : "audit";
}

/** `checks.example.com/images.example.com` */
export const calledText = ({ configuration, name }: CalledWebhook): string => `${configuration}/${name}`;

/** The annotation that says what failures say already. */
export const isFailureKey = (key: string): boolean => key === "validation.policy.admission.k8s.io/validation_failure";
