// The annotations of calls in the audit log, under the webhook's own name, with mutations and calls that failed open.

import { checkQualifiedName } from "@celadon/kube/names";

export class AuditNotes {
  readonly #annotations = new Map<string, string>();

  /** A key is written once, and only if it is one. */
  add(key: string, value: string): void {
    if (this.#annotations.has(key) || key.split("/").length !== 2 || checkQualifiedName(key).length > 0) return;
    this.#annotations.set(key, value);
  }

  /** Adds the annotations of one answer, under the webhook's name. */
  addAll(webhook: string, annotations: Readonly<Record<string, string>>): void {
    for (const [key, value] of Object.entries(annotations)) this.add(`${webhook}/${key}`, value);
  }

  toObject(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#annotations);
  }
}

export const failedOpenKey = (mutating: boolean, round: number, index: number): string =>
  `failed-open.${mutating ? "mutation" : "validating"}.webhook.admission.k8s.io/round_${round}_index_${index}`;
export const mutationKey = (round: number, index: number): string =>
  `mutation.webhook.admission.k8s.io/round_${round}_index_${index}`;
export const patchKey = (round: number, index: number): string =>
  `patch.webhook.admission.k8s.io/round_${round}_index_${index}`;
