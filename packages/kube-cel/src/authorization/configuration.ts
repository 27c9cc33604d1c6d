// AuthorizationConfiguration: the fields of the file. Upstream: apiserver pkg/apis/apiserver/v1/types.go.

import type { ConfigurationKind } from "../configuration/read-configuration.ts";
import { goStruct } from "../configuration/structs.ts";

/** The file of `--authorization-config`. */
export interface AuthorizationConfiguration {
  readonly authorizers?: readonly ConfiguredAuthorizer[] | null;
}

/** An authorizer of the chain. */
export interface ConfiguredAuthorizer {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: AuthorizationWebhook | null;
}

/** A webhook that is asked whether a user may do something. */
export interface AuthorizationWebhook {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean | null;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean | null;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string | null };
  readonly matchConditions?: readonly { readonly expression?: string }[] | null;
}

/** The kind of the file. */
export const AUTHORIZATION_CONFIGURATION: ConfigurationKind = {
  kind: "AuthorizationConfiguration",
  since: { v1alpha1: "1.29", v1beta1: "1.30", v1: "1.32" },
  type: goStruct("AuthorizationConfiguration", {
    kind: "string",
    apiVersion: "string",
    authorizers: [
      goStruct("AuthorizerConfiguration", {
        type: "string",
        name: "string",
        webhook: goStruct("WebhookConfiguration", {
          authorizedTTL: "*string",
          cacheAuthorizedRequests: "*bool",
          unauthorizedTTL: "*string",
          cacheUnauthorizedRequests: "*bool",
          timeout: "*string",
          subjectAccessReviewVersion: "string",
          matchConditionSubjectAccessReviewVersion: "string",
          failurePolicy: "string",
          connectionInfo: goStruct("WebhookConnectionInfo", { type: "string", kubeConfigFile: "*string" }),
          matchConditions: [goStruct("WebhookMatchCondition", { expression: "string" })],
        }),
      }),
    ],
  }),
};
