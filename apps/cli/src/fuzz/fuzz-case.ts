// Findings of the fuzzer as test cases to paste into a suite: the smallest input, with everything needed to reproduce
// the error.

import type { FuzzFinding } from "@celadon/testing/fuzz";
import { toYaml } from "../output/format/yaml.ts";

export type SuiteCase = Readonly<Record<string, unknown>>;

/** One element of a suite's `tests`, as YAML. */
export function suiteCaseYaml(test: SuiteCase): string {
  return toYaml([test]);
}

/** In the order of the findings; each name once. */
export function suiteCases(findings: readonly FuzzFinding[], serverDefaults: boolean): readonly SuiteCase[] {
  const names = new Map<string, number>();
  return findings.map((finding) => {
    const name = nameOf(finding);
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return { name: count === 1 ? name : `${name} (${count})`, ...suiteCase(finding, serverDefaults) };
  });
}

const nameOf = ({ owner, expression, message }: FuzzFinding): string =>
  `${owner.name}: ${expression.kind} ${expression.index} ${message}`.slice(0, 120);

function suiteCase({ owner, expression, case: input }: FuzzFinding, serverDefaults: boolean): SuiteCase {
  const { operation, object, oldObject, params, userInfo, namespaceObject, authorized, request } = input;
  return {
    ...(owner.kind === "ValidatingAdmissionPolicy" && { policy: owner.name }),
    operation,
    ...(request?.subresource && { subresource: request.subresource }),
    // A deleted object is shown as the object.
    ...(operation === "DELETE" ? { object: oldObject } : object && { object }),
    ...(operation === "UPDATE" && oldObject && { oldObject }),
    ...(params && { params: [params] }),
    ...(userInfo && { user: userInfo }),
    ...(namespaceObject && { namespace: namespaceOf(namespaceObject) }),
    ...(authorized !== undefined && { authorizer: [{ decision: authorized ? "allow" : "noOpinion" }] }),
    ...(request?.dryRun && { dryRun: true }),
    ...(!serverDefaults && { serverDefaults }),
    serverValidation: false,
    // A message that cannot be made is replaced by another: the request is denied all the same.
    expect: expression.kind === "messageExpression" ? "deny" : "error",
  };
}

/** Its name is a label that the server sets. */
function namespaceOf({ metadata }: NonNullable<FuzzFinding["case"]["namespaceObject"]>): SuiteCase {
  const { name, labels, annotations } = metadata ?? {};
  const { "kubernetes.io/metadata.name": _, ...own }: Readonly<Record<string, string>> = labels ?? {};
  return { name, ...(Object.keys(own).length > 0 && { labels: own }), ...(annotations && { annotations }) };
}
