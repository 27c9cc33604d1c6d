// The rbac.authorization.k8s.io group. The authorizer decides whether a user may grant the rights of a role.

import { semanticEqual } from "@celadon/base";
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from "../../api/generated/rbac-v1.ts";
import { checkDns1123Subdomain, checkPathSegmentName } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { labelSelector } from "../checks/selectors.ts";
import { selects, shownSelector } from "../core/workload.ts";
import { IMMUTABLE } from "../details.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Any segment of a path, whether the name is given or generated. */
const NAMED = { name: checkPathSegmentName, wholeGenerateName: true };

const role: AnyKindRules = kindRules<Role>({
  kind: { group: GROUP, kind: "Role" },
  resource: "roles",
  namespaced: true,
  unconditionalUpdate: true,
  validate: wholeRole,
  validateUpdate(object, old, at) {
    asUpdated(at, () => wholeRole(object, at));
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
  },
});

/** Updates were validated twice up to 1.34. */
function asUpdated(at: ValidatedField, validate: () => void): void {
  validate();
  if (at.by.before(35)) validate();
}

function wholeRole(object: Role, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, ...NAMED }, at.child("metadata"));
  at.child("rules").each(object.rules, (rule, each) => policyRule(rule, true, each));
}

const clusterRole: AnyKindRules = kindRules<ClusterRole>({
  kind: { group: GROUP, kind: "ClusterRole" },
  resource: "clusterroles",
  namespaced: false,
  unconditionalUpdate: true,
  validate: wholeClusterRole,
  validateUpdate(object, old, at) {
    asUpdated(at, () => wholeClusterRole(object, at));
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
  },
});

function wholeClusterRole(object: ClusterRole, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: false, ...NAMED }, at.child("metadata"));
  at.child("rules").each(object.rules, (rule, each) => policyRule(rule, false, each));
  if (!object.aggregationRule) return;
  const selectors = object.aggregationRule.clusterRoleSelectors;
  const place = at.child("aggregationRule", "clusterRoleSelectors");
  place.mustExist(selectors, "at least one clusterRoleSelector required if aggregationRule is non-nil");
  place.each(selectors, (selector, each) => {
    labelSelector(selector, each);
    if (selects(selector, {}) === undefined) each.invalid(shownSelector(undefined), "invalid label selector.");
  });
}

function policyRule(rule: PolicyRule, isNamespaced: boolean, at: ValidatedField): void {
  const { verbs, nonResourceURLs: urls, apiGroups, resources, resourceNames } = rule;
  at.child("verbs").mustBeDeclared(verbs, "verbs must contain at least one value");
  if (urls?.length) {
    const place = at.child("nonResourceURLs");
    if (isNamespaced) place.invalid(urls, "namespaced rules cannot apply to non-resource URLs");
    if (apiGroups?.length || resources?.length || resourceNames?.length) {
      place.invalid(urls, "rules cannot apply to both regular resources and non-resource URLs");
    }
    return;
  }
  at.child("apiGroups").mustExist(apiGroups, "resource rules must supply at least one api group");
  at.child("resources").mustExist(resources, "resource rules must supply at least one resource");
}

const roleBinding: AnyKindRules = kindRules<RoleBinding>({
  kind: { group: GROUP, kind: "RoleBinding" },
  resource: "rolebindings",
  namespaced: true,
  unconditionalUpdate: true,
  validate: (object, at) => binding(object, true, at),
  validateUpdate: (object, old, at) => bindingUpdate(object, old, true, at),
});

const clusterRoleBinding: AnyKindRules = kindRules<ClusterRoleBinding>({
  kind: { group: GROUP, kind: "ClusterRoleBinding" },
  resource: "clusterrolebindings",
  namespaced: false,
  unconditionalUpdate: true,
  validate: (object, at) => binding(object, false, at),
  validateUpdate: (object, old, at) => bindingUpdate(object, old, false, at),
});

function binding(object: RoleBinding | ClusterRoleBinding, namespaced: boolean, at: ValidatedField): void {
  metadata(object.metadata, { namespaced, ...NAMED }, at.child("metadata"));
  const { apiGroup = "", kind = "", name } = object.roleRef ?? {};
  const ref = at.child("roleRef");
  if (apiGroup !== GROUP) ref.child("apiGroup").unsupportedText(apiGroup, [GROUP]);
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(kind)) ref.child("kind").unsupportedText(kind, kinds);
  ref.child("name").mustBeDeclared(name);
  ref.child("name").mayBe(name, checkPathSegmentName);
  at.child("subjects").each(object.subjects, (item, each) => subject(item, namespaced, each));
}

function bindingUpdate(
  object: RoleBinding | ClusterRoleBinding,
  old: RoleBinding | ClusterRoleBinding,
  namespaced: boolean,
  at: ValidatedField,
): void {
  asUpdated(at, () => binding(object, namespaced, at));
  metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
  if (!semanticEqual(object.roleRef, old.roleRef)) {
    at.child("roleRef").invalid(
      shownAs("rbac.RoleRef", object.roleRef),
      at.by.since(37) ? IMMUTABLE : "cannot change roleRef",
    );
  }
}

function subject(given: Subject, namespaced: boolean, at: ValidatedField): void {
  const { kind = "", apiGroup = "", name, namespace } = given;
  at.child("name").mustBeDeclared(name);
  switch (kind) {
    case "ServiceAccount":
      at.child("name").mayBe(name, checkDns1123Subdomain);
      if (apiGroup !== "") at.child("apiGroup").unsupportedText(apiGroup, [""]);
      if (!namespaced) at.child("namespace").mustExist(namespace);
      break;
    case "User":
    case "Group":
      if (apiGroup !== GROUP) at.child("apiGroup").unsupportedText(apiGroup, [GROUP]);
      break;
    default:
      at.child("kind").unsupportedText(kind, ["ServiceAccount", "User", "Group"]);
  }
}

export const KINDS: readonly AnyKindRules[] = [role, clusterRole, roleBinding, clusterRoleBinding];
