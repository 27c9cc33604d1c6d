// A review with its answer, as `webhook --record` keeps it: one line of JSON, which a terminal may show.

import { toExactJson } from "@celadon/base";
import { visible } from "../output/visible.ts";

export function recordedLine(review: object, response: unknown): string {
  // In JSON, characters to be written out are within strings only, where escapes mean the same.
  return `${visible(toExactJson({ ...review, response }))}\n`;
}
