// ResourceQuotas.

import { compareStrings } from "@celadon/base";
import type { ResourceQuota, ResourceQuotaSpec } from "../../api/generated/core-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { givenPart } from "../../types/empty-fields.ts";
import type { Warning } from "../../warning.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { quantityAt, resourceAmount } from "../checks/quantities.ts";
import { isStandardQuota, quotaResourceName } from "../checks/resource-names.ts";
import { IMMUTABLE } from "../details.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const PODS = ["pods"];
const COMPUTE = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
/** The resources that each scope can count; others count anything. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: [...PODS, ...COMPUTE],
  NotTerminating: [...PODS, ...COMPUTE],
  NotBestEffort: [...PODS, ...COMPUTE],
  PriorityClass: [...PODS, ...COMPUTE],
  CrossNamespacePodAffinity: [...PODS, ...COMPUTE],
  BestEffort: PODS,
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};
const EXISTS_ONLY = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
]);
const OPPOSITES = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

export const resourceQuota: AnyKindRules = kindRules<ResourceQuota>({
  kind: { group: "", kind: "ResourceQuota" },
  resource: "resourcequotas",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
    quotaSpec(object.spec ?? {}, at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    quotaSpec(object.spec ?? {}, at.child("spec"));
    const [now, before] = [new Set(object.spec?.scopes), new Set(old.spec?.scopes)];
    if (now.size !== before.size || [...now].some((scope) => !before.has(scope))) {
      const shown = new JsonShown(givenPart(object.spec ?? {}, "scopes", []), SCOPE_LIST);
      at.child("spec", "scopes").invalid(shown, IMMUTABLE);
    }
  },
  warnOnCreate: warnings,
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        amounts(object.status?.hard, at.child("status", "hard"));
        amounts(object.status?.used, at.child("status", "used"));
      },
    },
  },
});

function amounts(list: Readonly<Record<string, string>> | undefined, at: ValidatedField): void {
  for (const name of Object.keys(list ?? {}).sort(compareStrings)) {
    quotaResourceName(name, at.key(name));
    resourceAmount(name, list![name]!, at.key(name));
  }
}

function quotaSpec(spec: ResourceQuotaSpec, at: ValidatedField): void {
  amounts(spec.hard, at.child("hard"));
  const counted = Object.keys(spec.hard ?? {}).filter(isStandardQuota);
  scopes(spec, counted, at.child("scopes"));
  if (spec.scopeSelector) scopeSelector(spec, counted, at.child("scopeSelector", "matchExpressions"));
}

const SCOPE_LIST = "[]core.ResourceQuotaScope";

function isScope(scope: string, by: Emulation): boolean {
  return Object.hasOwn(SCOPES, scope) && (scope !== "VolumeAttributesClass" || by.since(33));
}

/** The resources that the scope cannot count. */
function uncountable(scope: string, counted: readonly string[]): number {
  const countable = SCOPES[scope];
  return countable === undefined ? 0 : counted.filter((name) => !countable.includes(name)).length;
}

function scopes(spec: ResourceQuotaSpec, counted: readonly string[], at: ValidatedField): void {
  const list = spec.scopes ?? [];
  const shown = new JsonShown(list, SCOPE_LIST);
  for (const scope of list) {
    if (!isScope(scope, at.by)) at.invalid(shown, "unsupported scope");
    for (let i = uncountable(scope, counted); i > 0; i--) at.invalid(shown, "unsupported scope applied to resource");
  }
  conflicts(list, shown, at);
}

function conflicts(given: readonly string[], shown: unknown, at: ValidatedField): void {
  for (const pair of OPPOSITES) {
    if (pair.every((scope) => given.includes(scope))) at.invalid(shown, "conflicting scopes");
  }
}

function scopeSelector(spec: ResourceQuotaSpec, counted: readonly string[], at: ValidatedField): void {
  const selector = spec.scopeSelector!;
  const names: string[] = [];
  for (const { scopeName = "", operator = "", values = [] } of selector.matchExpressions ?? []) {
    if (!isScope(scopeName, at.by)) at.child("scopeName").invalid(new JsonShown(scopeName), "unsupported scope");
    for (let i = uncountable(scopeName, counted); i > 0; i--) {
      at.invalid(shownAs("core.ScopeSelector", selector), "unsupported scope applied to resource");
    }
    if (EXISTS_ONLY.has(scopeName) && operator !== "Exists") {
      const exists = at.by.since(31) ? "Exists" : "Exist";
      const detail = `must be '${exists}' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`;
      at.child("operator").invalid(new JsonShown(operator), detail);
    }
    scopeValues(operator, values, at);
    names.push(scopeName);
  }
  conflicts(names, new JsonShown(givenPart(spec, "scopes", []), SCOPE_LIST), at);
}

function scopeValues(operator: string, values: readonly string[], at: ValidatedField): void {
  if (operator === "In" || operator === "NotIn") {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) at.child("values").required(detail);
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) at.child("values").invalid(values, detail);
  } else at.child("operator").invalid(new JsonShown(operator), "not a valid selector operator");
}

function warnings(object: ResourceQuota): Warning[] {
  const hard = object.spec?.hard ?? {};
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const isCompute = name === "cpu" || name === "memory";
    const request = hard[`requests.${name}`] === undefined && isCompute ? name : `requests.${name}`;
    const limit = `limits.${name}`;
    const [asked, most] = [hard[request], hard[limit]];
    if (asked === undefined || most === undefined || quantityAt(asked).compare(quantityAt(most)) <= 0) return [];
    const text = `ResourceQuota ${request} (${quantityAt(asked)}) should be less than ${limit} (${quantityAt(most)})`;
    return [{ text, path: fieldPath("spec", "hard").key(request) }];
  });
}
