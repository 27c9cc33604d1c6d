// The public names.

export { KindTable } from "./kinds/kind-table.ts";
export type { ServedResource, ServedSubresource, StorageResource } from "./kinds/resource.ts";
export type { Answer, Call, Content, Peer, Sink, Stream } from "./wire/call.ts";
