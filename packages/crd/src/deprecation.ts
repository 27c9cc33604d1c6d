// Deprecated versions: every request to one is warned, in the definition's words or in the server's.

import { compareStrings } from "@celadon/base";
import type { DefinitionSpec } from "./definition/definition.ts";

/** The warning of a request to a deprecated version; undefined for a version that is not deprecated. */
export function deprecationWarning(spec: DefinitionSpec, name: string): string | undefined {
  const version = spec.versions?.find((definitionVersion) => definitionVersion.name === name);
  if (!version?.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group = "", names } = spec;
  const warning = `${group}/${name} ${names.kind} is deprecated`;
  const [best] = (spec.versions ?? [])
    .flatMap((definitionVersion) =>
      definitionVersion.served && !definitionVersion.deprecated && definitionVersion.name
        ? [definitionVersion.name]
        : [],
    )
    .filter((other) => compareVersions(name, other) < 0)
    .sort((a, b) => compareVersions(b, a));
  return best === undefined ? warning : `${warning}; use ${group}/${best} ${names.kind}`;
}

const PATTERN = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** By stability, then by number; names that are no versions come before all that are, the later in the alphabet the earlier. */
function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const x = rank(a);
  const y = rank(b);
  if (x === undefined || y === undefined) return x === y ? compareStrings(b, a) : x === undefined ? -1 : 1;
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
}

function rank(name: string): readonly [stability: number, major: number, minor: number] | undefined {
  const match = PATTERN.exec(name);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
