// The directories that the command's package brings along: beside the bundle, or in the tree beside the compiled files or the sources.

import { fileURLToPath } from "node:url";

/** The path of a directory of the package, such as `catalogue`. */
export function ownDirectory(name: string): string {
  const here = fileURLToPath(new URL(".", import.meta.url)).replaceAll("\\", "/");
  return `${here.replace(/\/(?:dist|src)\/.*$/, "")}/${name}`;
}
