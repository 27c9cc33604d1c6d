// AuthenticationConfiguration: the fields of the file. Upstream: apiserver pkg/apis/apiserver/v1/types.go.

import type { ConfigurationKind } from "../configuration/read-configuration.ts";
import { goStruct } from "../configuration/structs.ts";

/** The file of `--authentication-config`. */
export interface AuthenticationConfiguration {
  readonly jwt?: readonly JwtAuthenticator[] | null;
  readonly anonymous?: AnonymousAuthentication | null;
}

/** Anonymous access: whether there is any, and to which paths. */
export interface AnonymousAuthentication {
  readonly enabled?: boolean;
  readonly conditions?: readonly { readonly path?: string }[] | null;
}

/** An issuer of tokens, and the user that its claims make. */
export interface JwtAuthenticator {
  readonly issuer?: TokenIssuer;
  readonly claimValidationRules?: readonly ClaimValidationRule[] | null;
  readonly claimMappings?: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[] | null;
}

/** The issuer of tokens. */
export interface TokenIssuer {
  readonly url?: string;
  readonly discoveryURL?: string | null;
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[] | null;
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

/** A claim that must have a value, or an expression over the claims that must be true. */
export interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

/** The claims or expressions that make a user. */
export interface ClaimMappings {
  readonly username?: ClaimMapping;
  readonly groups?: ClaimMapping;
  readonly uid?: ClaimMapping;
  readonly extra?: readonly ExtraMapping[] | null;
}

/** A claim with a prefix, or an expression over the claims. */
export interface ClaimMapping {
  readonly claim?: string;
  readonly prefix?: string | null;
  readonly expression?: string;
}

/** A key of the user's extra, and the expression of its values. */
export interface ExtraMapping {
  readonly key?: string;
  readonly valueExpression?: string;
}

/** An expression over the user that must be true. */
export interface UserValidationRule {
  readonly expression?: string;
  readonly message?: string;
}

const PREFIXED = goStruct("PrefixedClaimOrExpression", { claim: "string", prefix: "*string", expression: "string" });

const AUTHENTICATOR = goStruct("JWTAuthenticator", {
  issuer: goStruct(
    "Issuer",
    {
      url: "string",
      discoveryURL: "*string",
      certificateAuthority: "string",
      audiences: ["string"],
      audienceMatchPolicy: "string",
      egressSelectorType: "string",
    },
    { audienceMatchPolicy: "v1.AudienceMatchPolicyType", egressSelectorType: "v1.EgressSelectorType" },
  ),
  claimValidationRules: [
    goStruct("ClaimValidationRule", {
      claim: "string",
      requiredValue: "string",
      expression: "string",
      message: "string",
    }),
  ],
  claimMappings: goStruct("ClaimMappings", {
    username: PREFIXED,
    groups: PREFIXED,
    uid: goStruct("ClaimOrExpression", { claim: "string", expression: "string" }),
    extra: [goStruct("ExtraMapping", { key: "string", valueExpression: "string" })],
  }),
  userValidationRules: [goStruct("UserValidationRule", { expression: "string", message: "string" })],
});

/** The kind of the file. */
export const AUTHENTICATION_CONFIGURATION: ConfigurationKind = {
  kind: "AuthenticationConfiguration",
  since: { v1alpha1: "1.29", v1beta1: "1.30", v1: "1.34" },
  type: goStruct("AuthenticationConfiguration", {
    kind: "string",
    apiVersion: "string",
    jwt: [AUTHENTICATOR],
    anonymous: goStruct("AnonymousAuthConfig", {
      enabled: "bool",
      conditions: [goStruct("AnonymousAuthCondition", { path: "string" })],
    }),
  }),
};
