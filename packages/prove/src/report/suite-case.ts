// A counterexample as a case for a test suite: the request, and the policy's answer to it.

import type { Counterexample } from "../question/answer.ts";
import { type AskedQuestion, sentenceOf } from "./asked.ts";

export type Expectation = "error" | "deny" | "allow";

/** One element of a suite's `tests` for an answer; undefined without a counterexample. */
export function suiteCase(asked: AskedQuestion): object | undefined {
  const { name, question, answer } = asked;
  if (answer.is !== "counterexample") return undefined;
  const expect = question === "never-errors" ? "error" : question === "always" ? "deny" : "allow";
  return exampleCase(name, `${name}: ${sentenceOf(asked)}`, answer.counterexample, expect);
}

/** A request as a case; without a policy, the whole set answers it. */
export function exampleCase(
  policy: string | undefined,
  name: string,
  example: Counterexample,
  expect: Expectation,
): object {
  const { operation, subresource, object, oldObject, params, user, namespaceObject } = example;
  return {
    name,
    ...(policy !== undefined && { policy }),
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

/** Its name is a label that the server sets. */
function namespaceOf({ metadata }: NonNullable<Counterexample["namespaceObject"]>): object {
  const { name, labels } = metadata ?? {};
  const { "kubernetes.io/metadata.name": _, ...own }: Readonly<Record<string, string>> = labels ?? {};
  return { name, ...(Object.keys(own).length > 0 && { labels: own }) };
}
