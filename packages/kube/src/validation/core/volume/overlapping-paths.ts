// Warnings about files of one volume that stand in each other's way.

import { quoteGo, trimEndOf } from "@celadon/base";
import type { Volume, VolumeProjection } from "../../../api/core-v1.ts";
import type { FieldPath } from "../../../field-path.ts";
import type { Warning } from "../../../warning.ts";

interface FilePath {
  readonly path: string;
  readonly source: string;
}

type Items = readonly { readonly path?: string | undefined }[];

export function overlappingPaths(volumes: readonly Volume[], at: FieldPath): Warning[] {
  return volumes.flatMap((volume, i) => {
    const { configMap, secret, downwardAPI, projected } = volume;
    if (!configMap?.items && !secret?.items && !downwardAPI?.items && !projected) return [];
    const path = at.index(i);
    const warn = (what: string, files: readonly FilePath[]): Warning[] =>
      overlaps(files).map((body) => ({
        text: `volume ${quoteGo(volume.name ?? "")} (${what}): overlapping paths: ${body}`,
        path,
      }));
    return [
      ...(configMap?.items ? warn(`ConfigMap ${quoteGo(configMap.name ?? "")}`, filesOf(configMap.items, "")) : []),
      ...(secret?.items ? warn(`Secret ${quoteGo(secret.secretName ?? "")}`, filesOf(secret.items, "")) : []),
      ...(downwardAPI?.items ? warn("DownwardAPI", filesOf(downwardAPI.items, "")) : []),
      ...(projected?.sources ?? [])
        .filter((source) => Object.keys(source).length === 0)
        .map(() => ({ text: `volume ${quoteGo(volume.name ?? "")} (Projected) has no sources provided`, path })),
      ...(projected?.sources ? warn("Projected", projected.sources.flatMap(projectedFiles)) : []),
    ];
  });
}

function filesOf(items: Items, source: string): FilePath[] {
  return items.map((item) => ({ path: item.path ?? "", source }));
}

function projectedFiles(part: VolumeProjection): FilePath[] {
  if (part.configMap?.items) return filesOf(part.configMap.items, `ConfigMap ${quoteGo(part.configMap.name ?? "")}`);
  if (part.secret?.items) return filesOf(part.secret.items, `Secret ${quoteGo(part.secret.name ?? "")}`);
  if (part.downwardAPI?.items) return filesOf(part.downwardAPI.items, "DownwardAPI");
  if (part.serviceAccountToken) return filesOf([part.serviceAccountToken], "ServiceAccountToken");
  return [];
}

function overlaps(files: readonly FilePath[]): string[] {
  const before: FilePath[] = [];
  return files.flatMap((file) => {
    const trimmed = { ...file, path: trimEndOf(file.path, /\//) };
    const found = before.filter((other) => isWithin(other.path, trimmed.path) || isWithin(trimmed.path, other.path));
    before.push(trimmed);
    return found.map((other) => `${shown(trimmed)} with ${shown(other)}`);
  });
}

function isWithin(path: string, other: string): boolean {
  return path !== "" && other !== "" && `${path}/`.startsWith(`${other}/`);
}

function shown(file: FilePath): string {
  return file.source === "" ? quoteGo(file.path) : `${quoteGo(file.path)} (${file.source})`;
}
