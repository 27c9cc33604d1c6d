// Volumes of files made from other things: fields of the pod, secrets, config maps, tokens.

import type {
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
} from "../../../api/generated/core-v1.ts";
import { fileMode, localFile } from "../../checks/paths.ts";
import type { ValidatedField } from "../../field.ts";
import { containerResource, podField } from "../shown-fields.ts";
import { podCertificate, trustBundle } from "./projected-certificates.ts";
import { keyToPath } from "./sources.ts";

/** The fields of its pod that a file can have. */
const FILE_FIELDS: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];
const TEN_MINUTES = 600;

export function downwardApi(source: DownwardAPIVolumeSource, at: ValidatedField): void {
  fileMode(source.defaultMode, at.child("defaultMode"));
  for (const file of source.items ?? []) downwardFile(file, at);
}

// The errors name the volume, not the file.
function downwardFile(file: DownwardAPIVolumeFile, at: ValidatedField): void {
  at.child("path").mustExist(file.path);
  localFile(file.path, at.child("path"));
  if (file.fieldRef) {
    podField(file.fieldRef, FILE_FIELDS, at.child("fieldRef"));
    if (file.resourceFieldRef) {
      at.invalid("resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
    }
  } else if (file.resourceFieldRef) containerResource(file.resourceFieldRef, at.child("resourceFieldRef"), true);
  else at.required("one of fieldRef and resourceFieldRef is required");
  fileMode(file.mode, at.child("mode"));
}

export function projected(source: ProjectedVolumeSource, at: ValidatedField): void {
  fileMode(source.defaultMode, at.child("defaultMode"));
  const paths = new Set<string>();
  const once = (path: string | undefined, shown: string): void => {
    if (!path) return;
    if (paths.has(path)) at.invalid(shown, "conflicting duplicate paths");
    paths.add(path);
  };
  at.child("sources").each(source.sources, (part, each) => {
    for (const kind of ["secret", "configMap"] as const) {
      const given = part[kind];
      if (given === undefined) continue;
      const place = each.child(kind);
      place.child("name").mustExist(given.name);
      place.child("items").each<KeyToPath>(given.items, (item, spot) => {
        keyToPath(item, spot);
        once(item.path, given.name ?? "");
      });
    }
    for (const file of part.downwardAPI?.items ?? []) {
      downwardFile(file, each.child("downwardAPI"));
      once(file.path, file.path ?? "");
    }
    if (part.serviceAccountToken) token(part.serviceAccountToken, each.child("serviceAccountToken"), at);
    if (part.clusterTrustBundle) trustBundle(part.clusterTrustBundle, once, each.child("clusterTrustBundle"));
    if (part.podCertificate) podCertificate(part.podCertificate, once, each.child("podCertificate"));
    const {
      secret,
      configMap,
      downwardAPI,
      serviceAccountToken,
      clusterTrustBundle,
      podCertificate: certificate,
    } = part;
    const kinds = [secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, certificate];
    if (kinds.filter((kind) => kind !== undefined).length > 1) {
      each.forbidden(`may not specify more than 1 volume type${at.by.since(31) ? " per source" : ""}`);
    }
  });
}

function token(given: ServiceAccountTokenProjection, at: ValidatedField, volume: ValidatedField): void {
  const seconds = given.expirationSeconds ?? 0;
  const place = at.child("expirationSeconds");
  if (seconds < TEN_MINUTES) place.invalid(seconds, "may not specify a duration less than 10 minutes");
  if (seconds > 2 ** 32) place.invalid(seconds, "may not specify a duration larger than 2^32 seconds");
  if (given.path) localFile(given.path, volume.child("path"));
  else volume.child("path").required();
}
