// Mistakes in a celadon.yaml.

import { configurationIssues, isConfiguration } from "@celadon/testing/configuration";
import type { File } from "../document/file.ts";
import { lineEnd, shifted } from "../text/range.ts";
import { SourceText } from "../text/source-text.ts";
import type { Diagnostic } from "./diagnostic.ts";

export function configurationDiagnostics(file: File): Diagnostic[] {
  return file.parts.flatMap(({ part, start }) =>
    part.resources.flatMap(({ manifest }) =>
      !isConfiguration(manifest)
        ? []
        : configurationIssues(manifest).map(({ code, message, hint, line = 1, column = 1 }): Diagnostic => {
            const from = new SourceText(part.text).offsetAt({ line: line - 1, character: column - 1 });
            const range = shifted({ start: from, end: Math.max(from, lineEnd(part.text, from)) }, start);
            return {
              code,
              severity: "error",
              range,
              message,
              ...(hint !== undefined && { help: hint }),
              source: "configuration",
            };
          }),
    ),
  );
}
