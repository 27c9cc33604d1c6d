// Names that belong to policies from manifest files. While the feature is off a name of theirs is warned about, no more.

import { type FieldError, fieldPath, fieldWarning, invalidValue, type Warning } from "@celadon/kube/errors";
import { emulationOf, type Minor } from "@celadon/kube/versions";

/** Options for names. */
export interface NameOptions {
  /** The gate ManifestBasedAdmissionControlConfig: alpha, off unless turned on. */
  readonly manifestBasedConfig?: boolean;
}

const SUFFIX = ".static.k8s.io";
const RESERVED = `names ending with "${SUFFIX}" are reserved for static manifest-based configurations and cannot be managed via the API`;

/** Errors of a name that is reserved for manifest files, in a write through the API. */
export function reservedNameErrors(name: string, { manifestBasedConfig = false }: NameOptions): FieldError[] {
  if (!manifestBasedConfig || !name.endsWith(SUFFIX)) return [];
  return [invalidValue(fieldPath("metadata", "name"), name, RESERVED)];
}

/** Since then names of manifest files are known. */
const RESERVED_SINCE = 36;

/** The warnings a write is answered with. */
export function nameWarnings(name: string, kubeVersion?: Minor): Warning[] {
  return emulationOf(kubeVersion).since(RESERVED_SINCE) && name.endsWith(SUFFIX)
    ? [fieldWarning("metadata.name", RESERVED)]
    : [];
}
