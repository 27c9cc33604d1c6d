// An example: work with a title and a group.

import type { Work } from "@celadon/language/playground";

export interface Example {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly about: string;
  readonly work: Work;
}

type Given = Pick<Work, "mode" | "policy"> & Partial<Work>;

export function example(group: string, id: string, title: string, about: string, given: Given): Example {
  return { id, group, title, about, work: { object: "", oldObject: "", tests: "", request: {}, ...given } };
}
