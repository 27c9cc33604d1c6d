// @celadon/simulator/manifests: objects read from text, their roles in a cluster, and the places of their fields and expressions.

export { deriveWorkloads } from "../manifest/derive.ts";
export { expressionsIn, type ManifestExpression } from "../manifest/expressions.ts";
export { type Manifest, type Origin, type Place, placeOf } from "../manifest/manifest.ts";
export { quotingHelp } from "../manifest/quoting-help.ts";
export { type ReadManifests, readManifests } from "../manifest/read-manifests.ts";
export { isSetUp, type Role, roleOf } from "../manifest/roles.ts";
export {
  type IssuerRef,
  isSigningRequest,
  readIssuer,
  requestAround,
  UNKNOWN_ISSUER,
} from "../manifest/signing-request.ts";
export { isSetUpRole, type SetUpRole } from "../simulated/set-up.ts";
