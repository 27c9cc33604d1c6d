// An explained expression as an indented tree, with the places of data in the user's file.

import type { DataPath, ExplainedNode } from "@celadon/cel/explain";
import { treeLines as linesOf, type OpenVariable, type TreeLine } from "@celadon/simulator/explain";
import type { Paint } from "../output/paint.ts";

export interface TreeOptions {
  readonly paint: Paint;
  /** `pod.yaml:14:14`, where data was written down. */
  placeOf(path: DataPath): string | undefined;
  readonly open: OpenVariable;
}

/** Lines without indentation of their own beyond the tree's. The root's text is the expression itself and not repeated. */
export function treeLines(root: ExplainedNode, { paint, placeOf, open }: TreeOptions): string[] {
  return linesOf(root, open).map((line) => {
    const place = line.dataPath && placeOf(line.dataPath);
    return `${"  ".repeat(line.depth)}${lineText(line, paint)}${place === undefined ? "" : paint.dim(`   ${place}`)}`;
  });
}

function lineText(line: TreeLine, paint: Paint): string {
  switch (line.role) {
    case "unevaluated":
      return paint.dim(`${line.text}   not evaluated`);
    case "deciding":
      return paint.bold(`decided by ${line.text}`);
    case "definition":
      return paint.dim(line.text);
    case "rounds":
      return paint.dim(line.text);
    case "part":
      return `${line.text} → ${valueText(line, paint)}`;
  }
}

function valueText({ shown = "", error, passedOn }: TreeLine, paint: Paint): string {
  // An error's text is shown where the error comes from.
  if (error !== undefined) return paint.red(passedOn ? "error" : `error: ${error}`);
  if (shown === "true") return paint.green(shown);
  return shown === "false" ? paint.red(shown) : paint.cyan(shown);
}
