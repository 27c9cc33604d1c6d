// The public names.

export {
  AUTHENTICATION_CONFIGURATION,
  type AuthenticationConfiguration,
  type JwtAuthenticator,
} from "../authentication/configuration.ts";
export { authenticationEnvironment, type ExpressionSubject } from "../authentication/expressions.ts";
export {
  type AuthenticationOptions,
  acceptAuthentication,
  type CompiledAuthentication,
  type CompiledAuthenticator,
} from "../authentication/validate.ts";
export { CONFIGURATION_GROUP } from "../configuration/read-configuration.ts";
