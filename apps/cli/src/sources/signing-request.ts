// A file that is a certificate signing request, not a manifest.

import type { Origin } from "@celadon/simulator/manifests";
import type { SourceText } from "./source-text.ts";

/** Every field has the beginning of the file as its place. */
export function originOfText(source: SourceText): Origin {
  const start = { file: source.file, line: 1, column: 1, offset: 0 };
  return {
    file: source.file,
    positionOf: () => start,
    positionIn: () => start,
    lineText: (line) => source.lineText(line),
  };
}
