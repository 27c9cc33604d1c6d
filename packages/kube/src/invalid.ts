// The answer of a reader that could not read: a value, not an exception, because bad input is ordinary here. The message
// is the one Kubernetes gives for the same input.

/** Why a text cannot be parsed, as a value. */
export class Invalid {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Whether reading failed. */
export function isInvalid(value: unknown): value is Invalid {
  return value instanceof Invalid;
}
