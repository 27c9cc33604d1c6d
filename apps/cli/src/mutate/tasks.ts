// Messages between the command and its threads. A thread reads the suites itself and computes the same plan, so
// messages contain only numbers of mutants and their results.

import type { Suite } from "@celadon/testing";
import type { Fate, Found, PolicyMutation } from "@celadon/testing/mutate";
import type { RequestedVersions } from "../suites/versions.ts";

export interface Setup {
  readonly paths: readonly string[];
  /** Flags that are set and affect reading. */
  readonly switches: readonly string[];
  /** The values of `--exclude`. */
  readonly excluded: readonly string[];
  /** The Kubernetes versions of the call; suites are mutated with the newest of theirs. */
  readonly versions: RequestedVersions;
  /** The suites to mutate: those that ran. */
  readonly names: readonly string[];
  /** The pattern of `--run`. */
  readonly run: string | undefined;
  readonly seed: number;
}

export type Task =
  | { readonly task: "fates"; readonly indices: readonly number[] }
  | { readonly task: "witness"; readonly index: number };

export type Reply =
  | { readonly reply: "ready"; readonly plan: string }
  /** The files have changed. */
  | { readonly reply: "failed"; readonly message: string }
  | { readonly reply: "fates"; readonly fates: readonly (readonly [number, Fate])[] }
  | { readonly reply: "witness"; readonly index: number; readonly found: Found };

/** Identifies a suite among those of a call. */
export const suiteKey = ({ name, origin }: Suite): string => `${origin.file}\n${name}`;

/** The same for the same mutants. */
export function planText({ plan }: PolicyMutation): string {
  return plan.mutants.map(({ id }) => id).join("\n");
}
