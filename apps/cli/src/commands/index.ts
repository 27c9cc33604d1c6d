// The verbs, in the order help shows them. A verb's file is loaded when it is asked for; its summary stands here as well, so that
// `celadon help` loads none. A test compares the two.

import type { Command } from "../command.ts";

export interface Verb {
  /** `check`, or `crd upgrade`. */
  readonly name: string;
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

// biome-ignore format: one verb per line
export const verbs: readonly Verb[] = [
  { name: "eval",    summary: "evaluate an expression: value, type and cost",                          load: () => import("./eval.ts") },
  { name: "check",   summary: "decide what every object would get from a cluster made of the inputs", load: () => import("./check.ts") },
  { name: "test",       summary: "run test suites of policies, CRD rules, webhooks and certificate policies", load: () => import("./test.ts") },
  { name: "explain", summary: "show why an object is denied, allowed, or not looked at",                load: () => import("./explain.ts") },
  { name: "cost",    summary: "show what expressions may cost, did cost, and how much of a limit that is", load: () => import("./cost.ts") },
  { name: "lint",    summary: "find what is wrong with policies, bindings, webhooks and CRDs themselves", load: () => import("./lint.ts") },
  { name: "fuzz", summary: "find legal objects that make an expression fail or exceed its budget", load: () => import("./fuzz.ts") },
  { name: "fmt", summary: "lay out the CEL expressions in YAML files", load: () => import("./fmt.ts") },
  { name: "autogen", summary: "derive policies for workloads from those for pods", load: () => import("./autogen.ts") },
  { name: "diff",    summary: "show which verdicts change between two sets of policies or definitions", load: () => import("./diff.ts") },
  { name: "convert", summary: "turn suites and policies of other tools into ours", load: () => import("./convert.ts") },
  { name: "crd upgrade", summary: "find objects that a new CustomResourceDefinition breaks, holds or empties", load: () => import("./crd-upgrade.ts") },
  { name: "up", summary: "run a Kubernetes API server that enforces policies in process", load: () => import("./up.ts") },
  { name: "webhook", summary: "enforce policies in a cluster through admission webhooks", load: () => import("./webhook.ts") },
  { name: "approver", summary: "approve cert-manager's CertificateRequests by policy", load: () => import("./approver.ts") },
  { name: "completion", summary: "print a script that completes verbs and flags in a shell", load: () => import("./completion.ts") },
  { name: "help",    summary: "show the verbs, or the help of one",                        load: () => import("./help.ts") },
  { name: "version", summary: "show the version, and the Kubernetes minors it decides as", load: () => import("./version.ts") },
];
