// The part of a case that varies while objects that tell a mutant apart are searched. Cases are made from it, and
// tests are written from it.

import type { Operation, UserInfo } from "@celadon/admission";
import type { AuthorizerOverride } from "@celadon/admission/memory";
import { isRecord } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { CaseText, Expectation } from "../suite/read/document.ts";
import type { Case } from "../suite/suite.ts";

export interface Situation {
  readonly operation: Operation;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  readonly subresource?: string;
  readonly user?: UserInfo;
  readonly resources?: readonly KubeObject[];
  readonly authorizer?: readonly AuthorizerOverride[];
}

/** The rest of a case, which stays as it is. */
export type Setting = Omit<Case, keyof Situation | "expect">;

export function settingOf(testCase: Case): Setting {
  const { operation, object, oldObject, subresource, user, resources, authorizer, expect, ...setting } = testCase;
  return setting;
}

export function situationOf(testCase: Case): Situation {
  const { operation, object, oldObject, subresource, user, resources, authorizer } = testCase;
  return {
    operation,
    ...(subresource !== undefined && { subresource }),
    ...(object && { object: object.object }),
    ...(oldObject && { oldObject: oldObject.object }),
    ...(user && { user }),
    ...(resources.length > 0 && { resources: resources.map((resource) => resource.object) }),
    ...(authorizer.length > 0 && { authorizer }),
  };
}

export function caseOf(situation: Situation, setting: Setting): Case {
  const { operation, object, oldObject, subresource, user, resources = [], authorizer = [] } = situation;
  return {
    ...setting,
    operation,
    ...(subresource !== undefined && { subresource }),
    ...(object && { object: { object } }),
    ...(oldObject && { oldObject: { object: oldObject } }),
    ...(user && { user }),
    resources: resources.map((resource) => ({ object: resource })),
    authorizer,
  };
}

/** Whether a smaller situation is still a valid request: every object keeps its kind and name. */
export function isWhole(situation: Situation, of: Situation, keepUser: boolean): boolean {
  const { operation, object, oldObject, user, resources = [], authorizer = [] } = situation;
  if (operation !== of.operation || situation.subresource !== of.subresource) return false;
  const named = (kubeObject: KubeObject | undefined, from: KubeObject | undefined): boolean =>
    kubeObject === undefined
      ? from === undefined
      : kubeObject.apiVersion === from?.apiVersion &&
        kubeObject.kind === from?.kind &&
        nameOf(kubeObject) === nameOf(from ?? {}) &&
        kubeObject.metadata?.namespace === from?.metadata?.namespace;
  if (!named(object, of.object) || !named(oldObject, of.oldObject)) return false;
  if (
    user === undefined ? keepUser && of.user !== undefined : typeof user.username !== "string" || user.username === ""
  )
    return false;
  const sources = of.resources ?? [];
  if (!Array.isArray(resources) || !Array.isArray(authorizer)) return false;
  return (
    resources.every((resource) => isRecord(resource) && sources.some((from) => named(resource as KubeObject, from))) &&
    authorizer.every((value) => of.authorizer?.includes(value as AuthorizerOverride))
  );
}

/** An entry of `tests`. */
export function testOf(name: string, situation: Situation, setting: Setting, expect: Expectation): CaseText {
  const { operation, object, oldObject, subresource, user, resources, authorizer } = situation;
  const {
    namespace,
    resource,
    objectName,
    policies,
    bindings,
    serverDefaults,
    serverValidation,
    fieldValidation,
    dryRun,
  } = setting;
  const implied = oldObject === undefined ? "CREATE" : "UPDATE";
  const { verdict, ...rest } = expect;
  const short = verdict !== undefined && Object.keys(rest).length === 0;
  return {
    name,
    ...(operation !== implied && { operation }),
    ...(object && { object: inOrder(object) }),
    ...(oldObject && { oldObject: inOrder(oldObject) }),
    ...(subresource !== undefined && { subresource }),
    ...(resource !== undefined && { resource }),
    ...(objectName !== undefined && { objectName }),
    ...(user && { user: Object.keys(user).join() === "username" ? user.username! : user }),
    ...(namespace !== undefined && { namespace }),
    ...(policies && { policy: policies.length === 1 ? policies[0]! : policies }),
    ...(bindings && { binding: bindings.length === 1 ? bindings[0]! : bindings }),
    ...(resources && { resources: resources.map(inOrder) }),
    ...(authorizer && { authorizer }),
    ...(!serverDefaults && { serverDefaults }),
    ...(!serverValidation && { serverValidation }),
    ...(fieldValidation && { fieldValidation }),
    ...(dryRun !== undefined && { dryRun }),
    expect: short ? verdict : expect,
  };
}

/** The fields of an object in the order in which people write them: kind and name first. */
function inOrder(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    ...(metadata !== undefined && { metadata }),
    ...rest,
  };
}
