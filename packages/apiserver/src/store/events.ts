// The events of an object, as watchers receive them. An event is encoded once for all watchers that want it in the same form.

import type { StoredObject } from "./stored-object.ts";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** The form in which objects are shown to a watcher: a version, as a table or whole. The same one for all who want the same. */
export interface Presenter {
  /** The object's JSON. */
  present(object: StoredObject): Uint8Array;
}

/** A line of an event, in one of the few forms that its watchers get. */
interface Line {
  readonly presenter: Presenter;
  readonly type: EventType;
  readonly bytes: Uint8Array;
}

export class ObjectEvent {
  readonly type: EventType;
  /** The new state; of a deletion the last one, under the revision of the deletion. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
  readonly revision: number;
  #lines: Line[] = [];

  constructor(type: EventType, object: StoredObject, previous: StoredObject | undefined) {
    this.type = type;
    this.object = object;
    this.previous = previous;
    this.revision = object.revision;
  }

  /** The event as a line of a watch. A selector may make another type of it. */
  line(presenter: Presenter, type: EventType): Uint8Array {
    for (const line of this.#lines) if (line.presenter === presenter && line.type === type) return line.bytes;
    const bytes = encodeLine(type, presenter.present(this.#shown(type)));
    this.#lines.push({ presenter, type, bytes });
    return bytes;
  }

  // An object that left the selection is shown as it last was in it, at the revision at which it left.
  #shown(type: EventType): StoredObject {
    if (type !== "DELETED" || this.type === "DELETED" || this.previous === undefined) return this.object;
    return this.previous.at(this.revision);
  }
}

const HEADS: Readonly<Record<EventType | "BOOKMARK" | "ERROR", Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};
const END = Buffer.from("}\n");

export function encodeLine(type: keyof typeof HEADS, object: Uint8Array): Uint8Array {
  return Buffer.concat([HEADS[type], object, END]);
}
