// The same object in two places of the inputs, as overlays and copies make it. Each is checked, but only the last can be in the
// cluster: a policy, a namespace or params that were meant may be the other one.

import { identityOf } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { subjectOf } from "../outcome/names.ts";
import { placeText, startOf } from "../outcome/place.ts";
import type { ShownPlace } from "../output/answer.ts";
import { subjectText } from "../output/subject-text.ts";
import type { ManifestStream, SourceNote } from "../sources/index.ts";

export function givenTwice(manifests: ManifestStream): SourceNote[] {
  const inQuestion = repeated(manifests.identityHashes());
  if (inQuestion.size === 0) return [];
  const last = new Map<string, ShownPlace | undefined>();
  const notes: SourceNote[] = [];
  let more = 0;
  for (const manifest of manifests.withHashIn(inQuestion)) {
    const key = identityOf(manifest.object);
    // Different objects may have one hash.
    const isAgain = last.has(key);
    const before = last.get(key);
    last.set(key, startOf(manifest));
    if (!isAgain) continue;
    // Overlays repeat whole directories: a few notes are enough.
    if (notes.length <= SHOWN) notes.push(noteOf(manifest, before));
    if (notes.length > SHOWN) more++;
  }
  if (more === 0) return notes;
  const { file } = notes.pop()!;
  return [
    ...notes,
    {
      file,
      message:
        more === 1 ? "1 more object appears twice in the inputs" : `${more} more objects appear twice in the inputs`,
    },
  ];
}

const SHOWN = 3;

/** Objects that occur more than once; 0 is for objects without a name, each of which the server gives a new one. */
function repeated(hashes: Int32Array): ReadonlySet<number> {
  const twice = new Set<number>();
  hashes.sort();
  for (let i = 1; i < hashes.length; i++) {
    if (hashes[i] === hashes[i - 1] && hashes[i] !== 0) twice.add(hashes[i]!);
  }
  return twice;
}

function noteOf(manifest: Manifest, before: ShownPlace | undefined): SourceNote {
  const again = startOf(manifest);
  const what = subjectText(subjectOf(manifest.object));
  const where = again === undefined ? "" : ` (also at ${placeText(again)})`;
  return {
    file: before === undefined ? "" : placeText(before),
    message: `${what} is defined twice${where}; both are checked, and the last accepted one is used`,
  };
}
