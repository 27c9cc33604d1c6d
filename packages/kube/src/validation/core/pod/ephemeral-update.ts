// Adding containers to a running pod, through the ephemeralcontainers subresource.

import { quoteGo, semanticEqual } from "@celadon/base";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { forbiddenField } from "../../../field-error.ts";
import { metadataUpdate } from "../../checks/metadata.ts";
import { ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import { internalDiff } from "../../show/unified-diff.ts";
import { MIRROR_POD } from "./annotations.ts";
import { podMetadataAndSpec } from "./object.ts";
import { annotationUpdate } from "./update.ts";

/** Everything but the ephemeral containers stays as it was. */
export function prepareEphemeral(pod: Pod, old: Pod): Pod {
  return { ...pod, spec: withField(old.spec ?? {}, ["ephemeralContainers"], pod.spec?.ephemeralContainers) };
}

export function ephemeralUpdate(pod: Pod, old: Pod, at: ValidatedField): void {
  const first = at.errors.length;
  metadataUpdate(pod.metadata, old.metadata, at.child("metadata"));
  podMetadataAndSpec(pod, at, old);
  annotationUpdate(pod, old, at.child("metadata", "annotations"));
  if (old.metadata?.annotations?.[MIRROR_POD] !== undefined) {
    const refusal = forbiddenField(
      ValidatedField.root().child("").path,
      "static pods do not support ephemeral containers",
    );
    at.errors.splice(first, at.errors.length, refusal);
    return;
  }
  const place = at.child("spec", "ephemeralContainers");
  const now = new Map((pod.spec?.ephemeralContainers ?? []).map((container) => [container.name ?? "", container]));
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const name = quoteGo(before.name ?? "");
    const after = now.get(before.name ?? "");
    if (after === undefined) place.forbidden(`existing ephemeral containers ${name} may not be removed\n`);
    else if (!semanticEqual(before, after)) {
      const diff = internalDiff("core.EphemeralContainer", before, after, at.by);
      place.forbidden(`existing ephemeral containers ${name} may not be changed\n${diff}`);
    }
  }
}
