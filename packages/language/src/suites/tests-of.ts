// Tests of the workspace's suites that are about a policy: the suite reads its file or contains it, and the test names no other policy.

import { isRecord, memberOf } from "@celadon/base";
import { nameOf } from "@celadon/kube";
import type { PlacedResource } from "../document/file.ts";
import { isNamed } from "./suite-path.ts";

/** Their names, suite by suite. */
export function testsOf(policy: PlacedResource, all: Iterable<PlacedResource>): string[] {
  const name = nameOf(policy.resource.object);
  return [...all].flatMap(({ uri, resource: { object } }) => {
    if (object.kind !== "TestSuite" || !reads(object, uri, policy, name)) return [];
    const tests = memberOf(object, "tests");
    return (Array.isArray(tests) ? tests : []).flatMap((test) => {
      const about = memberOf(test, "policy");
      const isAbout = about === undefined || about === name || (Array.isArray(about) && about.includes(name));
      return isAbout ? [String(memberOf(test, "name") ?? "")] : [];
    });
  });
}

function reads(suite: object, uri: string, policy: PlacedResource, name: string): boolean {
  const resources = memberOf(suite, "resources");
  return (Array.isArray(resources) ? resources : []).some((value) => {
    if (isRecord(value)) return nameOf(value) === name && value.kind === policy.resource.object.kind;
    return typeof value === "string" && isNamed(value, uri, policy.uri);
  });
}
