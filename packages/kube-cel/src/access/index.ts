// The public names.

export type { Claims } from "../authentication/claims-value.ts";
export {
  AUTHENTICATION_CONFIGURATION,
  type AuthenticationConfiguration,
  type JwtAuthenticator,
  type TokenIssuer,
} from "../authentication/configuration.ts";
export { authenticationEnvironment, type ExpressionSubject } from "../authentication/expressions.ts";
export { claimsIn, claimsOfToken } from "../authentication/token-claims.ts";
export {
  type ClaimedUser,
  type ClaimsVerdict,
  type EvaluatedClaim,
  isIssuerOf,
  userOfClaims,
} from "../authentication/user-of-claims.ts";
export {
  type AuthenticationOptions,
  acceptAuthentication,
  type CompiledAuthentication,
  type CompiledAuthenticator,
} from "../authentication/validate.ts";
export { accessReviewSpec } from "../authorization/access-review-spec.ts";
export {
  AUTHORIZATION_CONFIGURATION,
  type AuthorizationConfiguration,
  type AuthorizationWebhook,
} from "../authorization/configuration.ts";
export {
  type AuthorizationCondition,
  authorizationEnvironment,
  type ConditionsVerdict,
  type EvaluatedCondition,
  matchConditions,
  type ReviewedAccess,
} from "../authorization/match-conditions.ts";
export {
  type AuthorizationOptions,
  acceptAuthorization,
  type CompiledAuthorization,
  type CompiledAuthorizationWebhook,
  type CompiledAuthorizer,
} from "../authorization/validate.ts";
export { CONFIGURATION_GROUP } from "../configuration/read-configuration.ts";
