// A protobuf message as a CEL value. The message is not copied: expressions read the host's object.

import { create, type Message, toJson } from "@bufbuild/protobuf";
import { type CelError, celError } from "../value/error.ts";
import type { Type } from "../value/type.ts";
import { StructValue, type Value } from "../value/value.ts";
import type { MessageShape } from "./catalog.ts";
import { equalMessages } from "./equal.ts";

/** A protobuf message as a CEL value. Fields are converted when they are read. */
export class MessageValue extends StructValue {
  readonly message: Message;
  readonly shape: MessageShape;

  constructor(shape: MessageShape, message: Message) {
    super();
    this.shape = shape;
    this.message = message;
  }

  override get type(): Type {
    return this.shape.type;
  }

  override get(name: string): Value | CelError {
    const field = this.shape.field(name);
    return field === undefined ? noSuchField(name) : field.read(this.message);
  }

  override has(name: string): boolean | CelError {
    const field = this.shape.field(name);
    return field === undefined ? noSuchField(name) : field.isSet(this.message);
  }

  override isZero(): boolean {
    const { catalog, desc } = this.shape;
    return equalMessages(catalog, desc, this.message, create(desc));
  }

  /** The message's JSON form. Throws for an Any of a type that the registry does not know. */
  toJSON(): unknown {
    return toJson(this.shape.desc, this.message, { registry: this.shape.catalog.registry });
  }

  override equals(other: Value): boolean {
    return (
      other instanceof MessageValue && equalMessages(this.shape.catalog, this.shape.desc, this.message, other.message)
    );
  }
}

const noSuchField = (name: string): CelError => celError("no_such_field", `no such field '${name}'`);
