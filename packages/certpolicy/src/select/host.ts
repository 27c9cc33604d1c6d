// The host of selection. Both functions may return at once or a promise; an authorizer of `@celadon/kube-cel` can be used as it is.

import type { Labels } from "@celadon/kube/selectors";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";

/** Decides whether a user may use a policy. */
export interface UseAuthorizer {
  authorize(attributes: Attributes): AuthorizerDecision | Promise<AuthorizerDecision>;
}

/** Looks up labels of namespaces. */
export interface NamespaceLookup {
  /** The labels of a namespace; undefined if it does not exist. */
  labelsOf(namespace: string): Labels | undefined | Promise<Labels | undefined>;
}

/** The cluster as the selection of policies needs it. */
export interface SelectionHost {
  readonly authorizer: UseAuthorizer;
  readonly namespaces: NamespaceLookup;
}
