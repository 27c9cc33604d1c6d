// Namespaces.

import type { Namespace } from "../../api/generated/core-v1.ts";
import { JsonShown } from "../../field-error.ts";
import { checkDns1123Label, checkQualifiedName } from "../../names.ts";
import { kubeFinalizer, metadata, metadataUpdate } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";

const KUBERNETES = "kubernetes";

export const namespace: AnyKindRules = kindRules<Namespace>({
  kind: { group: "", kind: "Namespace" },
  resource: "namespaces",
  namespaced: false,
  unconditionalUpdate: true,
  keeps: [STATUS, ["spec", "finalizers"]],
  prepareCreate(object) {
    const finalizers = object.spec?.finalizers ?? [];
    const all = finalizers.includes(KUBERNETES) ? finalizers : [...finalizers, KUBERNETES];
    return { ...object, spec: { ...object.spec, finalizers: all }, status: { phase: "Active" } };
  },
  validate: wholeNamespace,
  validateUpdate(object, old, at) {
    wholeNamespace(object, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
  },
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        const phase = object.status?.phase ?? "";
        const isDeleted = object.metadata?.deletionTimestamp != null;
        const wanted = isDeleted ? "Terminating" : "Active";
        if (phase === wanted) return;
        const detail = `may only be '${wanted}' if \`deletionTimestamp\` is ${isDeleted ? "not " : ""}empty`;
        at.child("status", "Phase").invalid(new JsonShown(phase), detail);
      },
    },
    finalize: {
      keeps: [STATUS],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        at.child("spec", "finalizers").each(object.spec?.finalizers, (name, each) => finalizer(name, each));
      },
    },
  },
});

function wholeNamespace(object: Namespace, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, name: checkDns1123Label }, at.child("metadata"));
  for (const name of object.spec?.finalizers ?? []) finalizer(name, at.child("spec", "finalizers"));
}

function finalizer(name: string, at: ValidatedField): void {
  at.check(name, checkQualifiedName);
  kubeFinalizer(name, at);
}
