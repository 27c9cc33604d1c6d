// The public names. A server for tests is in `@celadon/apiserver/testing`.

export { readAdmissionConfiguration } from "./admission/admission-configuration.ts";
export { type StaticDirectories, StaticManifestsError, type StaticPlugin } from "./admission/static-manifests.ts";
export type { AuditedRequest } from "./audit/audit-event.ts";
export { type AuditLevel, type AuditPolicy, type AuditRule, readAuditPolicy } from "./audit/audit-policy.ts";
export { readTokenFile } from "./authn/token-file.ts";
export { type AppliedObject, type ApplyOptions, applyObjects, objectPath } from "./client/apply.ts";
export { LocalClient, type LocalWatch, type LocalWatchEvent, type Reply } from "./client/local-client.ts";
export { isLoopback } from "./http/addresses.ts";
export type { ServerLimits } from "./http/limits.ts";
export { KindTable } from "./kinds/kind-table.ts";
export type { ServedResource, ServedSubresource, StorageResource } from "./kinds/resource.ts";
export { type LaunchedServer, type LaunchOptions, launch } from "./launch.ts";
export { PkiError } from "./pki/pki-files.ts";
export { ApiServer } from "./server.ts";
export type { ServerOptions } from "./server-options.ts";
export { UnknownNameError } from "./switches.ts";
export type { Answer, Call, Content, Peer, Sink, Stream } from "./wire/call.ts";
