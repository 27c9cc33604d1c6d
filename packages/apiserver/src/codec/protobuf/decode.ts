// Protobuf bodies of built-in kinds as the JSON values they stand for: four bytes that name the format, an envelope with version and kind, the
// message itself. Upstream: apimachinery pkg/runtime/serializer/protobuf.

import { quoteGo, setOwn, thrownText } from "@celadon/base";
import type { BodyTarget } from "@celadon/kube/validation";
import { EndOfBytes, WireReader } from "@celadon/storage/wire";
import { UnreadableBody } from "../body.ts";
import { type Message, type MessageField, messageName, messageOf } from "./messages.ts";
import { SPECIAL_MESSAGES } from "./special-messages.ts";

const MAGIC = [0x6b, 0x38, 0x73, 0x00];
/** Deeper is no honest object. */
const MAX_DEPTH = 100;

/** Throws an UnreadableBody. A body without kind has the expected one. */
export function decodeProtobuf(body: Uint8Array, expected: BodyTarget = NO_KIND): unknown {
  if (body.length === 0) throw new UnreadableBody("empty data");
  if (body.length < MAGIC.length || MAGIC.some((byte, i) => body[i] !== byte)) {
    throw new UnreadableBody("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  if (body.length === MAGIC.length) throw new UnreadableBody("empty body");
  const { raw, ...found } = readOr(undefined, () => readEnvelope(new WireReader(body, MAGIC.length)));
  const of = found.kind === "" ? expected : found;
  const { apiVersion, kind } = of;
  const message = messageOf(messageName(apiVersion, kind));
  if (message === undefined) {
    const text = `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    throw new UnreadableBody(text, of);
  }
  return { apiVersion, kind, ...(raw && readOr(of, () => readMessage(raw, message, kind, 0))) };
}

const NO_KIND: BodyTarget = { apiVersion: "", kind: "" };

function readOr<T>(found: BodyTarget | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EndOfBytes) throw new UnreadableBody(error.message, found);
    throw new UnreadableBody(`proto: ${thrownText(error)}`, found);
  }
}

function readEnvelope(envelope: WireReader): BodyTarget & { readonly raw: WireReader | undefined } {
  let apiVersion = "";
  let kind = "";
  let raw: WireReader | undefined;
  while (!envelope.isAtEnd) {
    const { field, wire } = envelope.tag();
    if (field === 1 && wire === 2) {
      const meta = envelope.message();
      while (!meta.isAtEnd) {
        const tag = meta.tag();
        if (tag.field === 1 && tag.wire === 2) apiVersion = meta.text();
        else if (tag.field === 2 && tag.wire === 2) kind = meta.text();
        else meta.skip(tag.wire);
      }
    } else if (field === 2 && wire === 2) raw = envelope.message();
    else envelope.skip(wire);
  }
  return { apiVersion, kind, raw };
}

type Fields = Record<string, unknown>;

function readMessage(reader: WireReader, message: Message, name: string, depth: number): Fields {
  if (depth > MAX_DEPTH) throw new RangeError("nested too deeply");
  const fields: Fields = {};
  while (!reader.isAtEnd) {
    const { field: number, wire } = reader.tag();
    if (number === 0) throw new RangeError(`${name}: illegal tag 0 (wire type ${wire})`);
    const field = message.get(number);
    if (field === undefined) reader.skip(wire);
    else readField(reader, field, wire, fields, depth);
  }
  return fields;
}

function readField(reader: WireReader, field: MessageField, wire: number, into: Fields, depth: number): void {
  const { name, form } = field;
  if (form === "map") {
    const [key, value] = readEntry(reader.message(), field, depth);
    const map = (into[name] ??= {}) as Fields;
    setOwn(map, key, value);
    return;
  }
  const value = readValue(reader, field, wire, depth);
  if (form === "inline") Object.assign(into, value as Fields);
  else if (form === "list") ((into[name] ??= []) as unknown[]).push(value);
  else into[name] = value;
}

function readEntry(entry: WireReader, field: MessageField, depth: number): [string, unknown] {
  let key = "";
  let value: unknown;
  while (!entry.isAtEnd) {
    const { field: number, wire } = entry.tag();
    if (number === 1 && wire === 2) key = entry.text();
    else if (number === 2) value = readValue(entry, field, wire, depth);
    else entry.skip(wire);
  }
  return [key, value ?? emptyOf(field)];
}

function emptyOf({ type, isMessage }: MessageField): unknown {
  if (isMessage) return SPECIAL_MESSAGES[type]?.({}) ?? {};
  return type === "s" || type === "B" ? "" : type === "b" ? false : 0;
}

/** The name that kube-apiserver gives a field. */
const goName = (name: string): string =>
  name === "metadata" ? "ObjectMeta" : name.charAt(0).toUpperCase() + name.slice(1);

const WIRES: Readonly<Record<string, number>> = { s: 2, B: 2, i: 0, l: 0, b: 0, f: 1 };

function readValue(reader: WireReader, { type, isMessage, name }: MessageField, wire: number, depth: number): unknown {
  if (wire !== (isMessage ? 2 : WIRES[type]))
    throw new RangeError(`wrong wireType = ${wire} for field ${goName(name)}`);
  if (isMessage) {
    const fields = readMessage(
      reader.message(),
      messageOf(type) ?? new Map(),
      type.slice(type.lastIndexOf(".") + 1),
      depth + 1,
    );
    const special = SPECIAL_MESSAGES[type];
    return special === undefined ? fields : special(fields);
  }
  switch (type) {
    case "s":
      return reader.text();
    case "B":
      return Buffer.from(reader.bytes()).toString("base64");
    case "b":
      return reader.varint() !== 0;
    case "f":
      return reader.double();
    default:
      return reader.integer();
  }
}
