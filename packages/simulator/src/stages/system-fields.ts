// The values that a server takes from clock and chance. Here they are the same every time.

import { type KubeObject, metadataOf } from "@celadon/kube";
import { generatedName } from "@celadon/write";

/** The suffix of generated names; a server takes five such letters by chance. */
export const NAME_LETTERS = "xxxxx";
export const UID = "00000000-0000-4000-8000-000000000000";
export const CREATED = "2000-01-01T00:00:00Z";

/** An object as its author wrote it: without a name and a uid that were made up here. */
export function withoutMadeUp(object: KubeObject): KubeObject {
  const { uid, name, ...rest } = metadataOf(object);
  if (uid !== UID) return object;
  const { generateName: base = "" } = rest as { generateName?: string };
  const isGenerated = base !== "" && name === generatedName(base, NAME_LETTERS);
  const metadata = isGenerated ? rest : { ...rest, ...(name !== undefined && { name }) };
  return { ...object, metadata } as KubeObject;
}
