// A counterexample as a case to paste into a test suite: the request, and the policy's answer to it.

import type { Counterexample } from "@celadon/prove";
import { toYaml } from "../output/format/yaml.ts";

export type Expectation = "error" | "deny" | "allow";

/** One element of a suite's `tests`. */
export function exampleCase(policy: string, name: string, example: Counterexample, expect: Expectation): object {
  const { operation, subresource, object, oldObject, params, user, namespaceObject } = example;
  return {
    name,
    policy,
    operation,
    ...(subresource !== undefined && { subresource }),
    ...(operation === "DELETE" ? { object: oldObject } : object && { object }),
    ...(operation === "UPDATE" && oldObject && { oldObject }),
    ...(params && { params: [params] }),
    ...(user && { user: { username: user.username, groups: user.groups } }),
    ...(namespaceObject && { namespace: namespaceOf(namespaceObject) }),
    expect,
  };
}

export function exampleYaml(test: object): string {
  return toYaml([test as Readonly<Record<string, unknown>>]);
}

/** Its name is a label that the server sets. */
function namespaceOf({ metadata }: NonNullable<Counterexample["namespaceObject"]>): object {
  const { name, labels } = metadata ?? {};
  const { "kubernetes.io/metadata.name": _, ...own }: Readonly<Record<string, string>> = labels ?? {};
  return { name, ...(Object.keys(own).length > 0 && { labels: own }) };
}
