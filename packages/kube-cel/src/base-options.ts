// The base environment as data: every library and option, the version that added it, and further conditions. Upstream: apiserver
// pkg/cel/environment/base.go, in its order.

import type { Library, Validator } from "@celadon/cel";
import { homogeneousLiterals, isError, standardValidators } from "@celadon/cel";
import {
  listsLibrary as extListsLibrary,
  numericComparisons,
  optionalLibrary,
  setsLibrary,
  twoVariableLibrary,
} from "@celadon/cel/lib";
import { compileRegex } from "@celadon/cel/regex";
import { emulationOf, type Minor, type MinorRange } from "@celadon/kube/versions";
import { authzLibrary, authzSelectorsLibrary } from "./library/authz.ts";
import { cidrLibrary } from "./library/cidr.ts";
import { kubeStringsLibrary } from "./library/extensions.ts";
import { formatLibrary } from "./library/format.ts";
import { ipLibrary } from "./library/ip.ts";
import { listsLibrary } from "./library/lists.ts";
import { quantityLibrary } from "./library/quantity.ts";
import { regexLibrary } from "./library/regex.ts";
import { semverLibrary } from "./library/semver.ts";
import { urlsLibrary } from "./library/urls.ts";

/** A gate of the API server that changes expressions. */
export type FeatureGate = "AuthorizeWithSelectors";

/** The minors in which a gate is on unless someone turned it off. */
export const GATE_DEFAULTS: Readonly<Record<FeatureGate, { readonly since: Minor }>> = {
  AuthorizeWithSelectors: { since: "1.32" },
};

/** Libraries and options that came with a minor. */
export interface VersionedOptions {
  /** `1.0` means always. */
  readonly since: Minor;
  /** The minor that no longer has it. Removed libraries are in no environment for stored expressions. */
  readonly removed?: Minor;
  /** The servers that have it so, whatever the version that an expression may use. */
  readonly servers?: MinorRange;
  /** A gate that decides instead of the minor. */
  readonly gate?: FeatureGate;
  readonly libraries?: readonly Library[];
  readonly validators?: readonly Validator[];
}

const compiles = (pattern: string): boolean => !isError(compileRegex(pattern));

/** The minor that added each library and option. */
// biome-ignore format: one set of options per line
export const BASE_OPTIONS: readonly VersionedOptions[] = [
  { since: "1.0",                   validators: [homogeneousLiterals()], libraries: [regexLibrary] },
  { since: "1.0", servers: { removed: "1.36" }, libraries: [urlsLibrary(false)] },
  { since: "1.0", servers: { since: "1.36" },   libraries: [urlsLibrary(true)] },
  { since: "1.0", removed: "1.37",  libraries: [listsLibrary(0)] },
  { since: "1.27",                  libraries: [authzLibrary] },
  { since: "1.28",                  libraries: [numericComparisons, optionalLibrary(), quantityLibrary] },
  { since: "1.29",                  validators: standardValidators(compiles) },
  { since: "1.0", removed: "1.29",  libraries: [kubeStringsLibrary(0)] },
  { since: "1.29",                  libraries: [kubeStringsLibrary(2)] },
  { since: "1.29",                  libraries: [setsLibrary] },
  { since: "1.30",                  libraries: [ipLibrary, cidrLibrary] },
  { since: "1.31", servers: { removed: "1.32" }, libraries: [formatLibrary(emulationOf("1.31"))] },
  { since: "1.31", servers: { since: "1.32", removed: "1.35" }, libraries: [formatLibrary(emulationOf("1.34"))] },
  { since: "1.31", servers: { since: "1.35" },   libraries: [formatLibrary(emulationOf("1.35"))] },
  { since: "1.31", gate: "AuthorizeWithSelectors", libraries: [authzSelectorsLibrary] },
  { since: "1.32",                  libraries: [twoVariableLibrary] },
  { since: "1.33",                  libraries: [semverLibrary] },
  { since: "1.34",                  libraries: [extListsLibrary(3)] },
  { since: "1.37",                  libraries: [listsLibrary(1)] },
];
