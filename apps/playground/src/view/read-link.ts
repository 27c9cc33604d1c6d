// The work in a link: loaded when the page is opened with one.

import { decodeWork, type Work } from "@celadon/language/playground";
import { inflate } from "./compress.ts";

export const readLink = (fragment: string): Promise<Work | { readonly problem: string }> =>
  decodeWork(fragment, inflate);
