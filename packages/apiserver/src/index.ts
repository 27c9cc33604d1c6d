// The public names. A server for tests is in `@celadon/apiserver/testing`.

export type { AuditedRequest, AuditLevel } from "./audit/audit-event.ts";
export { type Applied, type ApplyOptions, applyObjects, objectPath } from "./client/apply.ts";
export { LocalClient, type LocalWatch, type Reply, type WatchEvent } from "./client/local-client.ts";
export type { Limits } from "./http/listener.ts";
export { KindTable } from "./kinds/kind-table.ts";
export type { ServedResource, ServedSubresource, StorageResource } from "./kinds/resource.ts";
export { isLoopback, type LaunchedServer, type LaunchOptions, launch } from "./launch.ts";
export { ApiServer, type ServerOptions } from "./server.ts";
export type { Answer, Call, Content, Peer, Sink, Stream } from "./wire/call.ts";
