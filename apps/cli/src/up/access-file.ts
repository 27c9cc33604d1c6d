// A file of `up` about access: one document of a kind, read at the start and again when it changes.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { KubeObject } from "@celadon/kube";
import { readDocument, readIssueText } from "@celadon/kube/read";
import { nodeFiles } from "../io-node.ts";
import type { Io } from "../program/io.ts";

/** The object in the file, or why there is none. */
export function readAccessFile(io: Io, file: string, kind: string): KubeObject | string {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    return `cannot read ${file}: ${(error as Error).message}`;
  }
  const read = readDocument(text, { file });
  if (!("value" in read)) return read[0] === undefined ? `${file} is empty` : readIssueText(read[0]);
  const object = Object(read.value) as KubeObject;
  return object.kind === kind ? object : `${file} is no ${kind}`;
}

/** Calls `changed` after the file has changed, until the server stops. */
export function watchAccessFile(io: Io, file: string, changed: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  };
  nodeFiles(io.cwd).watch([file], soon, io.signal);
  io.signal.addEventListener("abort", () => clearTimeout(timer));
}

/** A file that is being written may be valid and lack rules. */
const SETTLE_MS = 200;
