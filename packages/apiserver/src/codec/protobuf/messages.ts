// Protobuf messages of the served kinds, each read from its line when it is first met.
//
// A line is package/version.Name|field…, a field being number mark name=type. Marks: `:` one value, `[` a list, `{` a map from text, `<` a
// message whose fields belong to this object. Types: s string, i int32, l int64, b bool, B bytes, f double, #name another message.

import { parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { typeOfKind } from "@celadon/kube/types";
import { DISCOVERY_MESSAGES } from "./discovery-messages.ts";
import { MESSAGES } from "./generated/messages.ts";

export interface MessageField {
  readonly name: string;
  readonly form: "one" | "list" | "map" | "inline";
  /** A letter, or the name of a message. */
  readonly type: string;
  readonly isMessage: boolean;
}

export type Message = ReadonlyMap<number, MessageField>;

const FORMS: Readonly<Record<string, MessageField["form"]>> = { ":": "one", "[": "list", "{": "map", "<": "inline" };

/** Kinds of their own, which objects of any group are shown as. */
const META_KINDS: ReadonlySet<string> = new Set([
  "DeleteOptions",
  "Status",
  "PartialObjectMetadata",
  "PartialObjectMetadataList",
  "APIVersions",
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
]);

/** The name of a kind's message; empty if it has none. */
export function messageName(apiVersion: string, kind: string): string {
  if (META_KINDS.has(kind)) return `meta/v1.${kind}`;
  const type = typeOfKind(apiVersion, kind);
  if (type !== undefined && !kind.endsWith("List")) return type.name;
  const item = kind.endsWith("List") ? typeOfKind(apiVersion, kind.slice(0, -LIST.length)) : undefined;
  if (item !== undefined) return `${item.name}${LIST}`;
  const gv = parseGroupVersion(apiVersion);
  return gv instanceof Invalid ? "" : `${gv.group}/${gv.version}.${kind}`;
}

const LIST = "List";
const PARTIAL = "meta/v1.PartialObjectMetadata";

/** Lists have the same two fields for every type of item. */
function listMessage(item: string): Message | undefined {
  if (messageOf(item) === undefined) return undefined;
  return new Map<number, MessageField>([
    [1, { name: "metadata", form: "one", type: "meta/v1.ListMeta", isMessage: true }],
    [2, { name: "items", form: "list", type: item, isMessage: true }],
  ]);
}

/** Messages that no served kind needs. */
function madeUp(name: string): Message | undefined {
  if (name === PARTIAL) {
    return new Map([[1, { name: "metadata", form: "one", type: "meta/v1.ObjectMeta", isMessage: true }]]);
  }
  return name.endsWith(LIST) ? listMessage(name.slice(0, -LIST.length)) : undefined;
}

let lines: ReadonlyMap<string, string> | undefined;
const messages = new Map<string, Message>();

/** Undefined for messages of kinds that are not served. */
export function messageOf(name: string): Message | undefined {
  const known = messages.get(name);
  if (known !== undefined) return known;
  lines ??= new Map(
    `${MESSAGES}\n${DISCOVERY_MESSAGES}`.split("\n").map((line) => line.split("|", 2) as [string, string]),
  );
  const line = lines.get(name);
  if (line === undefined) {
    const made = madeUp(name);
    if (made !== undefined) messages.set(name, made);
    return made;
  }
  const fields = line === "" ? [] : line.split(" ").map(readField);
  const message: Message = new Map(fields);
  messages.set(name, message);
  return message;
}

function readField(text: string): [number, MessageField] {
  const [, number, mark, name, type] = /^(\d+)([:[{<])([^=]+)=(.+)$/.exec(text)!;
  const isMessage = type!.startsWith("#");
  return [Number(number), { name: name!, form: FORMS[mark!]!, type: isMessage ? type!.slice(1) : type!, isMessage }];
}
