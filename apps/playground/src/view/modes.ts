// The modes, and the names of the panes in each.

import type { WorkMode } from "@celadon/language/playground";

export interface ModeWords {
  readonly mode: WorkMode;
  readonly title: string;
  readonly policy: string;
  readonly hint: string;
  readonly object: string;
  /** The tab of the result that is shown first. */
  readonly tab: "why" | "change";
}

// biome-ignore format: one mode per line
export const MODES: readonly ModeWords[] = [
  { mode: "validating",   title: "Validating",       policy: "Policy, binding and params",  hint: "kind: ValidatingAdmissionPolicy …",      object: "Object",              tab: "why" },
  { mode: "mutating",     title: "Mutating",         policy: "Mutating policy and binding", hint: "kind: MutatingAdmissionPolicy …",        object: "Object",              tab: "change" },
  { mode: "crd",          title: "CRD rules",        policy: "CustomResourceDefinition",    hint: "kind: CustomResourceDefinition …",       object: "Custom resource",     tab: "why" },
  { mode: "conditions",   title: "Match conditions", policy: "Webhook configuration",       hint: "kind: ValidatingWebhookConfiguration …", object: "Object",              tab: "why" },
  { mode: "certificates", title: "Certificates",     policy: "CertificateRequestPolicy",    hint: "kind: CertificateRequestPolicy …",       object: "Certificate request", tab: "why" },
  { mode: "cel",          title: "CEL",              policy: "Expression",                  hint: "object.spec.replicas <= 5",              object: "object, self",        tab: "why" },
];

export function wordsOf(mode: WorkMode): ModeWords {
  return MODES.find((words) => words.mode === mode) ?? MODES[0]!;
}
