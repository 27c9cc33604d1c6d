// The authorization.k8s.io group: may a user do something?

import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectAccessReviewSpec,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from "../../api/generated/authorization-v1.ts";
import type { ObjectMeta } from "../../api/generated/meta-v1.ts";
import { emulationOf } from "../../emulation.ts";
import { checkLabelValue, checkQualifiedName } from "../../names.ts";
import { badRequest, invalidObject, type Status } from "../../status.ts";
import { ValidatedField } from "../field.ts";
import { type ActionRules, type AnyActionRules, actionRules } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const GROUP = "authorization.k8s.io";

const subjectAccessReview = review<SubjectAccessReview>("SubjectAccessReview", (object, at) => {
  subjectAccess(object.spec ?? {}, at.child("spec"));
  noMetadata(object.metadata, [], "must be empty", at.child("metadata"));
});

const selfSubjectAccessReview = review<SelfSubjectAccessReview>("SelfSubjectAccessReview", (object, at) => {
  access(object.spec ?? {}, at.child("spec"));
  selectors(object.spec?.resourceAttributes, at.child("spec", "resourceAttributes"));
  noMetadata(object.metadata, [], "must be empty", at.child("metadata"));
});

const localSubjectAccessReview = review<LocalSubjectAccessReview>("LocalSubjectAccessReview", (object, at) => {
  const { spec = {}, metadata } = object;
  subjectAccess(spec, at.child("spec"));
  noMetadata(metadata, ["namespace"], "must be empty except for namespace", at.child("metadata"));
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  if (resource !== undefined && (resource.namespace ?? "") !== (metadata?.namespace ?? "")) {
    const place = at.child("spec", "resourceAttributes", "namespace");
    place.invalid(resource.namespace ?? "", "must match metadata.namespace");
  }
  if (other !== undefined) {
    at.child("spec", "nonResourceAttributes").invalid(shown(other), "disallowed on this kind of request");
  }
});

const selfSubjectRulesReview: AnyActionRules = actionRules<SelfSubjectRulesReview>({
  kind: { group: GROUP, kind: "SelfSubjectRulesReview" },
  refuse: (object) => (object.spec?.namespace ? undefined : badRequest("no namespace on request")),
});

function review<T>(kind: string, validate: (object: T, at: ValidatedField) => void): AnyActionRules {
  const rules: ActionRules<T> = {
    kind: { group: GROUP, kind },
    refuse(object, { minor }): Status | undefined {
      const at = ValidatedField.root(emulationOf(minor));
      validate(object, at);
      const errors = at.found;
      // The server has forgotten which kind it was by then.
      return errors.length === 0 ? undefined : invalidObject({ group: GROUP, kind: "" }, "", errors);
    },
  };
  return actionRules(rules);
}

function subjectAccess(spec: SubjectAccessReviewSpec, at: ValidatedField): void {
  access(spec, at);
  if (!spec.user && !spec.groups?.length) {
    at.child("user").invalid("", "at least one of user or group must be specified");
  }
  selectors(spec.resourceAttributes, at.child("resourceAttributes"));
}

const EXACTLY_ONE = "exactly one of nonResourceAttributes or resourceAttributes must be specified";

function access({ resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec, at: ValidatedField): void {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const both = at.by.since(37) ? EXACTLY_ONE : "cannot be specified in combination with resourceAttributes";
    const place = at.by.since(37) ? at : at.child("nonResourceAttributes");
    place.invalid(shown(nonResourceAttributes), both);
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const place = at.by.since(37) ? at : at.child("resourceAttributes");
    place.invalid(null, EXACTLY_ONE);
  }
}

function shown(attributes: NonResourceAttributes): unknown {
  return shownAs("authorization.NonResourceAttributes", attributes);
}

/** A review has no metadata except the server's own. */
function noMetadata(meta: ObjectMeta | undefined, except: readonly string[], detail: string, at: ValidatedField): void {
  const given = Object.entries(meta ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (given.every(([field]) => field === "managedFields" || except.includes(field))) return;
  at.invalid(shownAs("meta/v1.ObjectMeta", meta), detail);
}

interface Requirement {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

interface Selector {
  readonly rawSelector?: string | undefined;
  readonly requirements?: readonly Requirement[] | undefined;
}

function selectors(attributes: ResourceAttributes | undefined, at: ValidatedField): void {
  const { fieldSelector, labelSelector } = attributes ?? {};
  selector(fieldSelector, at.child("fieldSelector"), (requirement, each) => {
    each.child("key").mustExist(requirement.key, "must be specified");
    values(requirement, each);
  });
  selector(labelSelector, at.child("labelSelector"), (requirement, each) => {
    values(requirement, each);
    each.child("key").check(requirement.key, checkQualifiedName);
    each.child("values").each(requirement.values, (value, place) => place.check(value, checkLabelValue));
  });
}

function selector(
  given: Selector | undefined,
  at: ValidatedField,
  check: (requirement: Requirement, at: ValidatedField) => void,
): void {
  if (given === undefined) return;
  const { rawSelector = "", requirements = [] } = given;
  if (rawSelector !== "" && requirements.length > 0) {
    at.child("rawSelector").invalid(rawSelector, "may not specified at the same time as requirements");
  }
  if (rawSelector === "" && requirements.length === 0) {
    at.child("requirements").required(`when ${at} is specified, requirements or rawSelector is required`);
  }
  at.child("requirements").each(requirements, check);
}

/** Operators that are not known are no error: a newer client may know them. */
function values({ operator, values: list = [] }: Requirement, at: ValidatedField): void {
  if (operator === "In" || operator === "NotIn") {
    at.child("values").mustExist(list, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if ((operator === "Exists" || operator === "DoesNotExist") && list.length > 0) {
    at.child("values").forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
}

export const ACTIONS: readonly AnyActionRules[] = [
  subjectAccessReview,
  selfSubjectAccessReview,
  localSubjectAccessReview,
  selfSubjectRulesReview,
];
