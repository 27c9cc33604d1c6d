// Positional arguments of `explain`: files and directories as for `check`, and objects by name.

import { nearestName } from "@celadon/base";
import { type GroupVersionKind, gvkOf, nameOf, namespaceOf } from "@celadon/kube";
import { servedResources } from "@celadon/kube/types";
import { UsageError } from "../program/exit.ts";
import type { Files } from "../program/io.ts";
import type { ReviewSubject } from "../review/subjects.ts";
import { isGlob } from "../sources/find/glob.ts";

/** An argument that exists as a file is one; any other names an object. */
export async function pathsAndNames(
  positionals: readonly string[],
  files: Pick<Files, "kind">,
): Promise<{ readonly paths: readonly string[]; readonly names: readonly string[] }> {
  const paths: string[] = [];
  const names: string[] = [];
  for (const positional of positionals) {
    const isPath = positional === "-" || isGlob(positional) || (await files.kind(positional)) !== undefined;
    (isPath || looksLikeFile(positional) ? paths : names).push(positional);
  }
  return { paths, names };
}

/** A misspelt file is reported as one. */
function looksLikeFile(name: string): boolean {
  return /^\.|\.(?:ya?ml|json)$|\/$/.test(name);
}

/** `Pod/web`, `Pod/shop/web`, `deploy/web`, or `web` where that is clear. */
export function namedObjects(asked: readonly ReviewSubject[], names: readonly string[]): ReviewSubject[] {
  return names.flatMap((name) => {
    const parts = name.split("/");
    const found = asked.filter(({ manifest: { object } }) => {
      const full = [gvkOf(object), namespaceOf(object), nameOf(object)] as const;
      const [first = "", second = "", third] = parts;
      if (third !== undefined) return sameKind(full[0], first) && full[1] === second && full[2] === third;
      return second === "" ? full[2] === first : sameKind(full[0], first) && full[2] === second;
    });
    if (found.length === 0) {
      const guess = meant(asked, parts.at(-1)!);
      throw new UsageError(
        `no object "${name}" in the inputs${guess === undefined ? "" : `; did you mean ${guess}?`}`,
        "name it as KIND/NAME or KIND/NAMESPACE/NAME",
      );
    }
    return found;
  });
}

/** Objects of that name of any kind, as with short names of kinds; otherwise the one with the most similar name. */
function meant(asked: readonly ReviewSubject[], name: string): string | undefined {
  const names = new Map<string, string[]>();
  for (const { manifest } of asked) {
    const found = nameOf(manifest.object);
    names.set(found, [...(names.get(found) ?? []), `${manifest.object.kind}/${found}`]);
  }
  const found = names.get(name) ?? names.get(nearestName(name, [...names.keys()]) ?? "");
  return found && [...new Set(found)].slice(0, 3).join(" or ");
}

/** By kind, plural or short name, with or without a group: `Deployment`, `deployments.apps`, `deploy`. */
const sameKind = ({ group, kind }: GroupVersionKind, asked: string): boolean => {
  const [lower = "", ...groups] = asked.toLowerCase().split(".");
  if (groups.length > 0 && groups.join(".") !== group) return false;
  if (kind.toLowerCase() === lower || `${kind.toLowerCase()}s` === lower) return true;
  return servedResources().some(
    (servedResource) =>
      servedResource.kind === kind && (servedResource.plural === lower || servedResource.shortNames.includes(lower)),
  );
};
