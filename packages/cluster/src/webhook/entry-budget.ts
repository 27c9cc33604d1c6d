// A webhook configuration must stay small enough to be written, for any policies: otherwise no later policy of anybody would be enforced.
// Above a budget, entries ask about more than policies match, which the policies themselves put right. Entries that do not fit even then
// are left out, newest first, and the status of their policies says so.

import type { NamedRuleWithOperations } from "@celadon/admission/policy";
import { compareStrings } from "@celadon/base";

/** Combinations of group, version and resource that an entry, or one policy, names at most. */
export const MOST_TUPLES = 2_000;
/** Versions that an entry names when it names no groups and resources. */
const MOST_VERSIONS = 100;
/** An object of 1.5 MiB is too large for etcd, and the server adds defaults and managed fields. */
const MOST_BYTES = 768 * 1024;
const MOST_ENTRY_BYTES = 256 * 1024;
/** Certificates, match conditions and selectors of an entry. */
const FIXED_ENTRY_BYTES = 4 * 1024;

export type RuleLists = Required<Pick<NamedRuleWithOperations, "apiGroups" | "apiVersions" | "resources">>;

/** The rules of a policy by lists that are short enough; undefined where its versions alone are too many. */
export function boundedRules<R extends NamedRuleWithOperations>(
  rules: readonly R[],
  isExact: boolean,
): readonly (R & RuleLists)[] | undefined {
  const whole = rules.map((rule) => ({ ...rule, ...listsOf(rule) }));
  const count = whole.reduce(
    (sum, { apiGroups, apiVersions, resources }) => sum + apiGroups.length * apiVersions.length * resources.length,
    0,
  );
  if (count <= MOST_TUPLES) return whole;
  const versions = new Set(whole.flatMap(({ apiVersions }) => apiVersions));
  if (versions.size <= MOST_VERSIONS) return whole.map((rule) => ({ ...rule, apiGroups: ["*"], resources: ["*/*"] }));
  // Objects come in the version of the request, so that the version need not be named.
  return isExact
    ? whole.map((rule) => ({ ...rule, apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }))
    : undefined;
}

function listsOf({ apiGroups, apiVersions, resources }: NamedRuleWithOperations): RuleLists {
  return { apiGroups: apiGroups ?? [], apiVersions: apiVersions ?? [], resources: resources ?? [] };
}

/** Something with a size that wants a place in the configuration. */
interface Candidate {
  readonly rules: readonly object[];
  /** When its oldest policy was created. */
  readonly since: string;
  readonly path: string;
}

/** The entries that fit into a configuration: older entries first, so that a new policy does not end the enforcement of another. */
export function fitting<C extends Candidate>(candidates: readonly C[]): ReadonlySet<C> {
  const kept = new Set<C>();
  let bytes = 0;
  const byAge = [...candidates].sort((a, b) => compareStrings(a.since, b.since) || compareStrings(a.path, b.path));
  for (const candidate of byAge) {
    const size = FIXED_ENTRY_BYTES + sizeOf(candidate.rules);
    if (size > MOST_ENTRY_BYTES || bytes + size > MOST_BYTES) continue;
    bytes += size;
    kept.add(candidate);
  }
  return kept;
}

export function isTooLarge(rules: readonly object[]): boolean {
  return sizeOf(rules) + FIXED_ENTRY_BYTES > MOST_ENTRY_BYTES;
}

const sizeOf = (rules: readonly object[]): number => Buffer.byteLength(JSON.stringify(rules));
