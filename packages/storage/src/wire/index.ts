// The wire format of protobuf, as etcd and clients of an API server speak it: `@celadon/storage/wire`.

export { EndOfBytes, WireError, WireReader } from "./wire-reader.ts";
export { WireWriter } from "./wire-writer.ts";
