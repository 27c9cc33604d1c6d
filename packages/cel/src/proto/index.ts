// @celadon/cel/proto: protobuf messages in CEL through @bufbuild/protobuf. The core knows nothing of this directory.

export type { ProtoOptions } from "./catalog.ts";
export { fromProto, messageType } from "./from-proto.ts";
export { MessageValue } from "./message-value.ts";
export { protoProvider } from "./provider.ts";
export { EnumValue, enumLibrary } from "./strong-enums.ts";
