// Warnings about files of one volume that stand in each other's way.

import { pushAll, quoteGo, trimEndOf } from "@celadon/base";
import type { Volume, VolumeProjection } from "../../../api/generated/core-v1.ts";
import type { FieldPath } from "../../../field-path.ts";
import { MAX_WARNINGS } from "../../../limits.ts";
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
  const found: string[] = [];
  const before = new FileTree();
  for (const file of files) {
    const trimmed = { ...file, path: trimEndOf(file.path, /\//) };
    if (trimmed.path === "") continue;
    for (const other of before.add(trimmed)) {
      if (found.length >= MAX_WARNINGS) return found;
      found.push(`${shown(trimmed)} with ${shown(other)}`);
    }
  }
  return found;
}

/** Files by their directories, so that a file finds those above and below it without being compared with all others. */
class FileTree {
  readonly #files: FilePath[] = [];
  readonly #root: FileNode = {};

  /** Adds a file and returns the earlier ones that it is within, or that are within it, in their order. */
  add(file: FilePath): readonly FilePath[] {
    const position = this.#files.push(file) - 1;
    const found: number[] = [];
    let node = this.#root;
    for (const step of file.path.split("/")) {
      if (node.here !== undefined) pushAll(found, node.here);
      (node.below ??= []).push(position);
      node.children ??= new Map();
      let next = node.children.get(step);
      if (next === undefined) node.children.set(step, (next = {}));
      node = next;
    }
    pushAll(found, node.here ?? [], node.below ?? []);
    (node.here ??= []).push(position);
    return found.sort((a, b) => a - b).map((at) => this.#files[at]!);
  }
}

interface FileNode {
  /** Positions of the files with just this path, and of those below it. */
  here?: number[];
  below?: number[];
  children?: Map<string, FileNode>;
}

function shown(file: FilePath): string {
  return file.source === "" ? quoteGo(file.path) : `${quoteGo(file.path)} (${file.source})`;
}
