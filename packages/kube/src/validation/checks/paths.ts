// Paths inside containers and volumes.

import type { ValidatedField } from "../field.ts";

/** A path below the place it is used at: relative and without backsteps. */
export function localPath(path: string | undefined, at: ValidatedField): void {
  const text = path ?? "";
  if (text.startsWith("/")) at.invalid(text, "must be a relative path");
  noBacksteps(text, at);
}

/** The same for a file that a volume writes: names starting with `..` are the volume's own. */
export function localFile(path: string | undefined, at: ValidatedField): void {
  const text = path ?? "";
  localPath(text, at);
  if (text.startsWith("..") && !text.startsWith("../")) at.invalid(text, "must not start with '..'");
}

export function noBacksteps(path: string, at: ValidatedField): void {
  if (hasBacksteps(path)) at.invalid(path, "must not contain '..'");
}

export function hasBacksteps(path: string): boolean {
  return path.split("/").includes("..");
}

/** Permission bits of a file. */
export function fileMode(mode: number | undefined, at: ValidatedField): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    at.invalid(mode, "must be a number between 0 and 0777 (octal), both inclusive");
  }
}
