// Work without secrets: the data of Secrets, tokens, passwords and the names of certificate requests are masked in their places; everything
// else stays as it is written.

import { type JsonPath, valueAt } from "@celadon/base";
import { isSigningRequest } from "@celadon/simulator/manifests";
import { masked } from "../actions/mask-secrets.ts";
import { applyEdits, File } from "../document/file.ts";
import type { TextEdit } from "../text/range.ts";
import type { Work, WorkText } from "./work.ts";

/** A value that was masked. */
export interface MaskedValue {
  readonly text: WorkText;
  /** `Secret db` */
  readonly object: string;
  readonly path: JsonPath;
}

/** Work without secrets. */
export interface MaskedWork {
  readonly work: Work;
  readonly masked: readonly MaskedValue[];
  /** Texts that could not be read, so secrets in them are not masked. */
  readonly unread: readonly WorkText[];
}

/** Masks every text; the masked places are listed. A certificate request in PEM is left out whole. */
export function maskWork(work: Work): MaskedWork {
  const unread: WorkText[] = [];
  const found: MaskedValue[] = [];
  const texts = (["policy", "object", "oldObject", "tests"] as const).map((name): [WorkText, string] => {
    const text = work[name];
    if (isSigningRequest(text)) {
      found.push({ text: name, object: "signing request", path: [] });
      return [name, ""];
    }
    if (name === "policy" && work.mode === "cel") return [name, text];
    const file = new File(name, text);
    if (file.parts.some(({ part }) => part.issues.length > 0)) unread.push(name);
    return [name, maskText(name, file, found)];
  });
  return { work: { ...work, ...Object.fromEntries(texts) }, masked: found, unread };
}

function maskText(name: WorkText, file: File, found: MaskedValue[]): string {
  const edits: TextEdit[] = [];
  for (const { resource, start } of file.resources()) {
    const { object, masked: paths } = masked(resource.object);
    for (const path of paths) {
      const range = resource.part.rangeOf(resource, path);
      if (range === undefined) continue;
      found.push({ text: name, object: `${String(object.kind)} ${nameIn(object)}`.trim(), path });
      // A block ends with the end of its last line.
      const end = resource.part.text.slice(range.start, range.end).endsWith("\n") ? range.end - 1 : range.end;
      edits.push({
        range: { start: range.start + start, end: end + start },
        text: resource.part.isJson ? JSON.stringify(valueAt(object, path)) : String(valueAt(object, path)),
      });
    }
  }
  const once = edits.filter(({ range }, i) => edits.findIndex((edit) => edit.range.start === range.start) === i);
  return once.length === 0 ? file.text : applyEdits(file.text, once);
}

function nameIn(object: { readonly metadata?: unknown }): string {
  return String(valueAt(object, ["metadata", "name"]) ?? "");
}
