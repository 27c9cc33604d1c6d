// The path of a write: `@celadon/write`. The strategies of kinds are in `@celadon/write/strategy`.

export { refuseAction } from "./actions.ts";
export { type Phase, PluginChain, type PluginTimes } from "./chain/chain.ts";
export type { AdmissionContext, AdmissionNotes, AdmissionPlugin } from "./chain/plugin.ts";
export { type PolicyReports, policyPlugins } from "./chain/policies.ts";
export { type Draft, type DraftMeta, type DraftOwner, draftOf, objectOf } from "./draft.ts";
export { generatedName, NAME_ALPHABET, NAME_SUFFIX, withReadableOwners } from "./metadata.ts";
export { checkUid, checkVersion, parseResourceVersion } from "./preconditions.ts";
export type { AdmissionSubject, WriteRequest } from "./request.ts";
export { builtinResource, type WrittenResource } from "./resource.ts";
export { refuseScale, scaledBy, scaleOf } from "./scale.ts";
export { StatusError, statusOf } from "./status-error.ts";
export { Refused, type StepFinding, type StepName } from "./steps.ts";
export { timestamp } from "./timestamp.ts";
export { type Beginning, type Ending, type Form, type Sent, type WriteHosts, WritePath } from "./write-path.ts";
