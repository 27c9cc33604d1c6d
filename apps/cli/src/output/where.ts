// Files as reports name them: relative to the root of the checkout where the file is inside it, with forward slashes.

import { posix } from "node:path";
import type { Setting } from "./formats.ts";

/** `undefined` if it is no file: standard input. */
export function pathFrom({ root, cwd }: Pick<Setting, "root" | "cwd">, file: string): string | undefined {
  if (file === "" || file === "-" || /^<.*>$/.test(file)) return undefined;
  const full = posix.resolve(slashes(cwd), slashes(file));
  const relative = posix.relative(slashes(root), full);
  return relative.startsWith("../") ? full : relative;
}

/** The same as a URI reference; a path outside the checkout has a scheme. */
export function uriOf(path: string): string {
  const encoded = path.split("/").map(encodeSegment).join("/");
  return path.startsWith("/") ? `file://${encoded}` : encoded;
}

const slashes = (path: string): string => path.replaceAll("\\", "/");

/** encodeURIComponent, which throws on half a surrogate pair and leaves a few that RFC 3986 reserves. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replaceAll(/\p{Surrogate}/gu, "\ufffd")).replaceAll(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
