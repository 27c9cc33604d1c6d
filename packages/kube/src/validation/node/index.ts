// The node.k8s.io group: RuntimeClasses.

import type { Toleration } from "../../api/generated/core-v1.ts";
import type { RuntimeClass } from "../../api/generated/node-v1.ts";
import { fieldPath } from "../../field-path.ts";
import { checkDeclaredLabel, checkDns1123Label, checkDns1123Subdomain } from "../../names.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { labels, metadata, metadataUpdate } from "../checks/metadata.ts";
import { deprecatedNodeLabel } from "../core/node-labels.ts";
import { overhead } from "../core/pod/container/resources.ts";
import { tolerations } from "../core/pod/scheduling.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const runtimeClass: AnyKindRules = kindRules<RuntimeClass>({
  kind: { group: "node.k8s.io", kind: "RuntimeClass" },
  resource: "runtimeclasses",
  namespaced: false,
  unconditionalUpdate: false,
  validate: wholeClass,
  validateUpdate(object, old, at) {
    wholeClass(object, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"), { anyFinalizer: true });
    at.child("handler").declaredImmutable(object.handler, old.handler, (value) => value ?? "");
  },
  warnOnCreate: warnings,
  warnOnUpdate: warnings,
});

function wholeClass(object: RuntimeClass, at: ValidatedField): void {
  const scope = { namespaced: false, name: checkDns1123Subdomain, anyFinalizer: true };
  metadata(object.metadata, scope, at.child("metadata"));
  const handler = at.child("handler");
  if (object.handler || at.by.before(36))
    handler.declared.check(object.handler, at.by.since(37) ? checkDeclaredLabel : checkDns1123Label);
  else handler.declared.required();
  if (object.overhead) overhead(object.overhead.podFixed ?? {}, at.child("overhead"));
  if (!object.scheduling) return;
  labels(object.scheduling.nodeSelector, at.child("scheduling", "nodeSelector"));
  uniqueTolerations(object.scheduling.tolerations ?? [], at.child("scheduling", "tolerations"));
}

function uniqueTolerations(list: readonly Toleration[], at: ValidatedField): void {
  // Up to 1.34 the path had the name twice.
  tolerations(list, at.by.before(35) ? at.child("tolerations") : at);
  const seen = new Set<string>();
  at.each(list, (toleration, each) => {
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    const text = JSON.stringify([key, operator, value, effect]);
    if (seen.has(text)) each.duplicate(shownAs("core.Toleration", toleration));
    seen.add(text);
  });
}

// The label is not named.
function warnings(object: RuntimeClass): Warning[] {
  return Object.keys(object.scheduling?.nodeSelector ?? {}).flatMap((key) => {
    const deprecated = deprecatedNodeLabel(key);
    const at = fieldPath("scheduling", "nodeSelector");
    return deprecated === undefined ? [] : [fieldWarning(at.standingAt(at.key(key).steps), deprecated)];
  });
}

export const KINDS: readonly AnyKindRules[] = [runtimeClass];
