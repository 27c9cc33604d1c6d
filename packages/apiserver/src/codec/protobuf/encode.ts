// JSON values of built-in kinds as protobuf: for clients that accept nothing else, and for metadata, which clients
// prefer in protobuf. Upstream: apimachinery pkg/runtime/serializer/protobuf.

import { Double } from "@celadon/cel";
import { WireWriter } from "@celadon/storage/wire";
import { type Message, type MessageField, messageName, messageOf } from "./messages.ts";
import { SPECIAL_FIELDS } from "./special-messages.ts";

const MAGIC = Buffer.from("k8s\0");
type Fields = Readonly<Record<string, unknown>>;

/** Whether objects of a kind have a message. */
export function hasMessage({ apiVersion = "", kind = "" }: { apiVersion?: string; kind?: string }): boolean {
  return messageOf(messageName(apiVersion, kind)) !== undefined;
}

/** An object with its version and kind. */
export function encodeProtobuf(object: Fields): Buffer {
  const { apiVersion = "", kind } = object as { apiVersion?: string; kind: string };
  const message = messageOf(messageName(apiVersion, kind));
  if (message === undefined) throw new Error(`${kind} has no protobuf message`);
  const meta = new WireWriter();
  meta.tag(1, 2);
  meta.text(apiVersion);
  meta.tag(2, 2);
  meta.text(kind);
  const writer = new WireWriter();
  writer.raw(MAGIC);
  writer.tag(1, 2);
  writer.bytes(meta.result());
  writer.tag(2, 2);
  writer.bytes(encodeMessage(object, message));
  return writer.result();
}

/** One event of a watch: its length in four bytes, its type, the object with its own head. */
export function encodeWatchFrame(type: string, object: Fields): Buffer {
  const raw = new WireWriter();
  raw.tag(1, 2);
  raw.bytes(encodeProtobuf(object));
  const event = new WireWriter();
  event.tag(1, 2);
  event.text(type);
  event.tag(2, 2);
  event.bytes(raw.result());
  const bytes = event.result();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function encodeMessage(value: Fields, message: Message): Buffer {
  const writer = new WireWriter();
  for (const [number, field] of message) {
    const own = field.form === "inline" ? value : value[field.name];
    if (own === undefined || own === null) continue;
    if (field.form === "list") for (const item of own as readonly unknown[]) writeValue(writer, number, field, item);
    else if (field.form === "map") writeMap(writer, number, field, own as Fields);
    else writeValue(writer, number, field, own);
  }
  return writer.result();
}

function writeMap(writer: WireWriter, number: number, field: MessageField, map: Fields): void {
  for (const [key, value] of Object.entries(map)) {
    const entry = new WireWriter();
    entry.tag(1, 2);
    entry.text(key);
    if (value !== null && value !== undefined) writeValue(entry, 2, field, value);
    writer.tag(number, 2);
    writer.bytes(entry.result());
  }
}

function writeValue(writer: WireWriter, number: number, { type, isMessage }: MessageField, value: unknown): void {
  if (isMessage) {
    const fields = SPECIAL_FIELDS[type]?.(value) ?? (value as Fields);
    writer.tag(number, 2);
    writer.bytes(encodeMessage(fields, messageOf(type) ?? new Map()));
    return;
  }
  switch (type) {
    case "s":
      writer.tag(number, 2);
      writer.text(String(value));
      return;
    case "B":
      writer.tag(number, 2);
      writer.bytes(Buffer.from(value as string, "base64"));
      return;
    case "f":
      writer.tag(number, 1);
      writer.double(value instanceof Double ? value.value : Number(value));
      return;
    default:
      writer.tag(number, 0);
      writer.integer(typeof value === "boolean" ? Number(value) : (value as number | bigint));
  }
}
