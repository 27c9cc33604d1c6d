// Authentication by an AuthenticationConfiguration: `@celadon/apiserver/authentication`, loaded by servers that have one.

export { JwtAuthentication, type JwtAuthenticationOptions } from "./jwt-authentication.ts";
