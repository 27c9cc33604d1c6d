// The same object in two places of the inputs, as overlays and copies make it. Each is checked, but only the last can be in the
// cluster: a policy, a namespace or params that were meant may be the other one.

import { nameOf } from "@celadon/kube";
import { identityOf } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { subjectOf } from "../outcome/names.ts";
import { placeText, startOf } from "../outcome/place.ts";
import { subjectText } from "../output/subject-text.ts";
import type { SourceNote } from "../sources/index.ts";

export function givenTwice(manifests: readonly Manifest[]): SourceNote[] {
  const last = new Map<string, Manifest>();
  const notes: SourceNote[] = [];
  for (const manifest of manifests) {
    // The server makes a new name for each of those.
    if (nameOf(manifest.object) === "") continue;
    const key = identityOf(manifest.object);
    const before = last.get(key);
    if (before !== undefined) notes.push(noteOf(before, manifest));
    last.set(key, manifest);
  }
  // Overlays repeat whole directories: a few show what is the matter.
  const more = notes.length - SHOWN;
  if (more <= 0) return notes;
  return [
    ...notes.slice(0, SHOWN),
    { file: notes[SHOWN]!.file, message: `${more} more objects are in the inputs twice` },
  ];
}

const SHOWN = 10;

function noteOf(before: Manifest, manifest: Manifest): SourceNote {
  const [first, again] = [before, manifest].map((item) => startOf(item));
  const what = subjectText(subjectOf(manifest.object));
  const where = again === undefined ? "" : ` in ${placeText(again)}`;
  return {
    file: first === undefined ? "" : placeText(first),
    message: `${what} is in the inputs twice${where}; both are checked, and the cluster has the last one`,
  };
}
