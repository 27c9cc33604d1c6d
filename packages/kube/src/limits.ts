// The ends of lists that grow with a client's input. The reference lists everything; nobody reads the thousandth error, and an answer must
// not be many times as large as the request it answers.

/** Field errors of one object that are looked for and listed. */
export const MAX_FIELD_ERRORS = 1_000;

/** Warnings that one rule gives. A server sends no more than 4096 characters of all of them. */
export const MAX_WARNINGS = 1_000;

/** Characters of the errors of an object in the message of a Status; the first error is kept at any length. */
export const MAX_ERRORS_TEXT: number = 512 * 1024;

/** The end of a list that was cut. */
export function moreText(count: number, what: string): string {
  return `... and ${count} more ${what}${count === 1 ? "" : "s"}`;
}
