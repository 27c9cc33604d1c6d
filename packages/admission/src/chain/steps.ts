// Every mutation of a request as one list: its author, its patch, and the object before and after it.

import { semanticEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { nameOf, namespaceOf } from "@celadon/kube";
import type { PatchOperation } from "@celadon/merge";
import type { Patch } from "../mutating/verdict.ts";
import type { MutatedRequest } from "./mutate-request.ts";

/** One mutation: which policy or webhook made it, in which pass, and the object before and after. */
export interface MutationStep {
  readonly round: 0 | 1;
  readonly by:
    | {
        readonly kind: "MutatingAdmissionPolicy";
        readonly name: string;
        readonly binding: string;
        readonly params?: string;
        /** The number of its mutation. */
        readonly index: number;
      }
    | { readonly kind: "MutatingWebhookConfiguration"; readonly name: string; readonly webhook: string };
  readonly patch?: Patch | { readonly patchType: "JSONPatch"; readonly operations: readonly PatchOperation[] };
  /** `unchanged`: the patch was applied, and everything it says was there. `skipped`: a test of it did not hold. */
  readonly outcome: "changed" | "unchanged" | "skipped" | "error";
  readonly error?: string;
  readonly before: KubeObject;
  readonly after: KubeObject;
  readonly cost?: number;
}

/** The mutations of a request one by one, in the order they were made. */
export function mutationSteps({ passes }: MutatedRequest): readonly MutationStep[] {
  return passes.flatMap(({ round, policies, webhooks }) => [
    ...policies.invocations.flatMap(({ policy, binding, params, mutations }) =>
      mutations.map(({ index, outcome, patch, error, before, after, cost }): MutationStep => {
        const by = {
          kind: "MutatingAdmissionPolicy",
          name: policy.name,
          binding: binding.name,
          ...(params !== null && { params: paramText(params) }),
          index,
        } as const;
        return {
          round,
          by,
          ...(patch && { patch }),
          outcome: outcome === "error" ? "error" : outcome === "test failed" ? "skipped" : changed(before, after),
          ...(error !== undefined && { error }),
          before,
          after,
          cost,
        };
      }),
    ),
    ...(webhooks?.calls ?? []).flatMap(({ webhook, patched }): MutationStep[] => {
      if (patched === undefined) return [];
      const { operations, before, after } = patched;
      return [
        {
          round,
          by: {
            kind: "MutatingWebhookConfiguration",
            name: webhook.configuration,
            webhook: webhook.webhook.name,
          },
          patch: { patchType: "JSONPatch", operations },
          outcome: changed(before, after),
          before,
          after,
        },
      ];
    }),
  ]);
}

const changed = (before: KubeObject, after: KubeObject): "changed" | "unchanged" =>
  semanticEqual(before, after) ? "unchanged" : "changed";

function paramText(params: KubeObject): string {
  const namespace = namespaceOf(params);
  return namespace === "" ? nameOf(params) : `${namespace}/${nameOf(params)}`;
}
