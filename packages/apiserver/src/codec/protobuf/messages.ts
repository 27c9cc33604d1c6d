// Protobuf messages of the served kinds, each read from its line when it is first met.
//
// A line is package/version.Name|field…, a field being number mark name=type. Marks: `:` one value, `[` a list, `{` a map from text, `<` a
// message whose fields stand in this object. Types: s string, i int32, l int64, b bool, B bytes, f double, #name another message.

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

let lines: ReadonlyMap<string, string> | undefined;
const messages = new Map<string, Message>();

/** Undefined for messages of kinds that are not served. */
export function messageOf(name: string): Message | undefined {
  const known = messages.get(name);
  if (known !== undefined) return known;
  lines ??= new Map(MESSAGES.split("\n").map((line) => line.split("|", 2) as [string, string]));
  const line = lines.get(name);
  if (line === undefined) return undefined;
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
