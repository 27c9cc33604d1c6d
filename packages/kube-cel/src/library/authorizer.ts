// Authorization as expressions see it: the values that `authorizer` makes, and the questions to the host. Upstream: apiserver
// pkg/cel/library/authz.go.

import { type CelError, Opaque, type Type, type Value } from "@celadon/cel";
import { abstractStruct } from "@celadon/cel/types";
import { noSuchOverload } from "@celadon/cel/values";
import { Invalid } from "@celadon/kube/errors";
import {
  type FieldRequirement,
  parseFieldSelector,
  parseLabelRequirements,
  type Requirement,
} from "@celadon/kube/selectors";
import { equalityUnsupported } from "./unlike.ts";

/** The user that an authorizer decides about. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** An authorization check. A path check has only path, verb and user. */
export interface Attributes {
  readonly user: User;
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly path?: string;
  readonly apiGroup?: string;
  /** Always `*`: expressions do not name versions. */
  readonly apiVersion?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Requirements are empty when the selector did not parse, and the error says why. */
  readonly fieldSelector?: ReadSelector<FieldRequirement>;
  readonly labelSelector?: ReadSelector<Requirement>;
}

/** A selector of a check, as far as it could be read. */
export interface ReadSelector<R> {
  readonly requirements: readonly R[];
  readonly error?: string;
}

/** The result of an authorizer. */
export interface AuthorizerDecision {
  readonly decision: "allow" | "deny" | "noOpinion";
  readonly reason?: string;
  /** Set when the authorizer itself failed; expressions see it through `errored()`. */
  readonly error?: string;
}

/** Implemented by the host. It answers at once: evaluation does not wait. */
export interface ExpressionAuthorizer {
  authorize(attributes: Attributes): AuthorizerDecision;
}

/** The object of an admission request, for `authorizer.requestResource`. */
export interface RequestResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The type of `authorizer`. */
export const AUTHORIZER: Type<AuthorizerValue> = abstractStruct("kubernetes.authorization.Authorizer");
/** The type of a check of a path. */
export const PATH_CHECK: Type<PathCheck> = abstractStruct("kubernetes.authorization.PathCheck");
/** The type of a check of a group. */
export const GROUP_CHECK: Type<GroupCheck> = abstractStruct("kubernetes.authorization.GroupCheck");
/** The type of a check of a resource. */
export const RESOURCE_CHECK: Type<ResourceCheck> = abstractStruct("kubernetes.authorization.ResourceCheck");
/** The type of a check's decision. */
export const DECISION: Type<DecisionValue> = abstractStruct("kubernetes.authorization.Decision");

/** None of these can be compared, not even with itself. */
abstract class ReceiverOnly extends Opaque {
  override readonly equalityCost = 1;
  override equals(other: Value): CelError {
    return equalityUnsupported(other);
  }
  override throughHost(): CelError {
    return noSuchOverload();
  }
}

/** The variable `authorizer`, for one user. */
export class AuthorizerValue extends ReceiverOnly {
  override readonly type: Type = AUTHORIZER;
  override readonly goType = "library.authorizerVal";
  readonly user: User;
  readonly authorizer: ExpressionAuthorizer;
  constructor(user: User, authorizer: ExpressionAuthorizer) {
    super();
    this.user = user;
    this.authorizer = authorizer;
  }
  /** Asks for a service account instead: with its own groups, and without those of every authenticated user. */
  forServiceAccount(namespace: string, name: string): AuthorizerValue {
    const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
    return new AuthorizerValue({ name: `system:serviceaccount:${namespace}:${name}`, groups }, this.authorizer);
  }
  /** The variable `authorizer.requestResource`. */
  forResource({ group, resource, ...rest }: RequestResource): ResourceCheck {
    return new ResourceCheck(new GroupCheck(this, group), { resource, ...rest });
  }
}

/** A check of a path that is no resource. */
export class PathCheck extends ReceiverOnly {
  override readonly type: Type = PATH_CHECK;
  override readonly goType = "library.pathCheckVal";
  readonly authorizer: AuthorizerValue;
  readonly path: string;
  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
  check(verb: string): DecisionValue {
    const { user, authorizer } = this.authorizer;
    return new DecisionValue(authorizer.authorize({ user, verb, resourceRequest: false, path: this.path }));
  }
}

/** A check of an API group, before its resource is named. */
export class GroupCheck extends ReceiverOnly {
  override readonly type: Type = GROUP_CHECK;
  override readonly goType = "library.groupCheckVal";
  readonly authorizer: AuthorizerValue;
  readonly group: string;
  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

interface ResourceFields {
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** A check of a resource. */
export class ResourceCheck extends ReceiverOnly {
  override readonly type: Type = RESOURCE_CHECK;
  override readonly goType = "library.resourceCheckVal";
  readonly group: GroupCheck;
  readonly fields: ResourceFields;
  constructor(group: GroupCheck, fields: ResourceFields) {
    super();
    this.group = group;
    this.fields = fields;
  }
  with(more: Partial<ResourceFields>): ResourceCheck {
    return new ResourceCheck(this.group, { ...this.fields, ...more });
  }
  /** Selectors are parsed only now, and the authorizer decides about invalid ones. */
  check(verb: string): DecisionValue {
    const { user, authorizer } = this.group.authorizer;
    const {
      resource,
      subresource = "",
      namespace = "",
      name = "",
      fieldSelector = "",
      labelSelector = "",
    } = this.fields;
    return new DecisionValue(
      authorizer.authorize({
        user,
        verb,
        resourceRequest: true,
        apiGroup: this.group.group,
        apiVersion: "*",
        resource,
        subresource,
        namespace,
        name,
        ...(fieldSelector !== "" && { fieldSelector: readFieldSelector(fieldSelector) }),
        ...(labelSelector !== "" && { labelSelector: readLabelSelector(labelSelector) }),
      }),
    );
  }
}

function readFieldSelector(text: string): ReadSelector<FieldRequirement> {
  const selector = parseFieldSelector(text);
  return selector instanceof Invalid
    ? { requirements: [], error: selector.message }
    : { requirements: selector.requirements };
}

function readLabelSelector(text: string): ReadSelector<Requirement> {
  const requirements = parseLabelRequirements(text);
  return requirements instanceof Invalid ? { requirements: [], error: requirements.message } : { requirements };
}

/** A decision as expressions see it. */
export class DecisionValue extends ReceiverOnly {
  override readonly type: Type = DECISION;
  override readonly goType = "library.decisionVal";
  readonly decision: AuthorizerDecision;
  constructor(decision: AuthorizerDecision) {
    super();
    this.decision = decision;
  }
}
