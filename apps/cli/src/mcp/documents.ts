// The resources of `celadon mcp`: the pages of the documentation that help to write policies, by their paths.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Document {
  /** `celadon://reference/test-format.md`. */
  readonly uri: string;
  readonly title: string;
  readonly read: () => string;
}

const SCHEME = "celadon://";

/** All Markdown files of a directory. */
export function documentsBelow(directory: string): readonly Document[] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  return paths
    .filter((path) => path.endsWith(".md"))
    .sort()
    .map((path) => {
      const read = (): string => readFileSync(join(directory, path), "utf8");
      return { uri: `${SCHEME}${path}`, title: /^# (.*)$/m.exec(read())?.[1] ?? path, read };
    });
}
