// @celadon/simulator/manifests: objects read from text, their roles in a cluster, and the places of their fields and expressions.

export { deriveWorkloads } from "../derive.ts";
export { expressionsIn, type ManifestExpression } from "../expressions.ts";
export { type Manifest, type Origin, type Place, placeOf } from "../manifest.ts";
export { quotingHelp } from "../quoting-help.ts";
export { type ReadManifests, readManifests } from "../read-manifests.ts";
export { isSetUp, type Role, roleOf } from "../roles.ts";
export { isSetUpRole, type SetUpRole } from "../set-up.ts";
export { isSigningRequest, requestAround, UNKNOWN_ISSUER } from "../signing-request.ts";
