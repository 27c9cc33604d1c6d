// The same object in two places of the inputs, as overlays and copies make it. Each is checked, but only the last can be in the
// cluster: a policy, a namespace or params that were meant may be the other one.

import { isRecord } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { identityOf } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { subjectOf } from "../outcome/names.ts";
import { startOf } from "../outcome/place.ts";
import type { ShownPlace } from "../output/answer.ts";
import { placeText } from "../output/place-text.ts";
import { subjectText } from "../output/subject-text.ts";
import type { ManifestStream, SourceNote } from "../sources/index.ts";

export function givenTwice(manifests: ManifestStream): SourceNote[] {
  const inQuestion = repeated(manifests.identityHashes());
  if (inQuestion.size === 0) return [];
  const last = new Map<string, { readonly place: ShownPlace | undefined; readonly versions: string }>();
  const [notes, first]: [SourceNote[], SourceNote[]] = [[], []];
  let more = 0;
  for (const manifest of manifests.withHashIn(inQuestion)) {
    const key = identityOf(manifest.object);
    // Different objects may have one hash.
    const isAgain = last.has(key);
    const before = last.get(key);
    const versions = servedVersions(manifest.object);
    last.set(key, { place: startOf(manifest), versions });
    if (!isAgain) continue;
    // Objects of a version that only one of the definitions serves are denied if that one is not the last.
    const isOther = before !== undefined && before.versions !== versions;
    if (isOther && first.length < SHOWN) first.push(noteOf(manifest, before?.place, `, which serves ${versions}`));
    // Overlays repeat whole directories: a few notes are enough.
    else if (notes.length <= SHOWN) notes.push(noteOf(manifest, before?.place));
    else more++;
  }
  if (more === 0 && notes.length <= SHOWN) return [...first, ...notes];
  const { file } = notes.pop()!;
  more++;
  return [
    ...first,
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

/** The versions that a CRD serves; empty for other kinds. */
function servedVersions({ kind, spec }: KubeObject): string {
  const versions = kind === "CustomResourceDefinition" && isRecord(spec) ? spec.versions : undefined;
  const served = (Array.isArray(versions) ? versions : []).filter((version) => isRecord(version) && version.served);
  return served.map(({ name }) => String(name)).join(", ");
}

function noteOf(manifest: Manifest, before: ShownPlace | undefined, more = ""): SourceNote {
  const again = startOf(manifest);
  const what = subjectText(subjectOf(manifest.object));
  const where = again === undefined ? "" : ` (also at ${placeText(again)})`;
  return {
    file: before === undefined ? "" : placeText(before),
    message: `${what} is defined twice${where}; both are checked, and the last accepted one is used${more}`,
  };
}
