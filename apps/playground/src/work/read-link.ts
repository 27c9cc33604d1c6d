// The work in a link: loaded when the page is opened with one.

import { decodeWork, type Work } from "@celadon/language/playground";
import { inflate } from "../view/compress.ts";

export const readLink = (fragment: string): Promise<Work | { readonly problem: string }> =>
  decodeWork(fragment, inflate);

export const NO_LINK = (problem: string): string =>
  `It may have been cut short: ${problem}. Ask for the whole link, or for the work as a file.`;
