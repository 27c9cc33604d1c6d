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
export { CONFIGURATION_GROUP } from "../configuration/read-configuration.ts";
