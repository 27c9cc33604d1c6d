// JSON text in a form that keeps members of the same name and the texts of numbers. Only bodies of requests are read this way; what decodes them leaves neither behind.

import { Double } from "@celadon/base";

/** An object that names a member more than once: all members, in the order they were written. */
export class RepeatedMembers {
  readonly entries: readonly (readonly [string, unknown])[];

  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries;
  }
}

/** A number that is not written as an integer of 64 bits. */
export class RawNumber extends Double {
  readonly text: string;

  constructor(value: number, text: string) {
    super(value);
    this.text = text;
  }
}
