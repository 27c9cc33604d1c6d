// Authentication and authorization by files: `@celadon/apiserver/access`, loaded by servers that have one.

export { JwtAuthentication, type JwtAuthenticationOptions } from "./authn/jwt/jwt-authentication.ts";
export { ConfiguredChain, type ConfiguredChainOptions } from "./authz/configured-chain.ts";
