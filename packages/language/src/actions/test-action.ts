// A finding as a test: a suite beside the policy with the object and its current result; and, where one field makes the
// difference, with that field changed and the other verdict.

import { valueAt } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import { stringify } from "yaml";
import { fieldText } from "../text/field-text.ts";
import type { Flip } from "../verdicts/flip.ts";
import type { ObjectVerdict } from "../verdicts/review-all.ts";
import type { Action } from "./action.ts";
import { masked } from "./mask-secrets.ts";

export interface TestOf {
  readonly verdict: ObjectVerdict;
  /** The policy, CRD or webhook configuration that is tested. */
  readonly resource: KubeObject;
  readonly policyUri: string;
  /** Files that the suite has to read: see `filesOf`. */
  readonly resources: readonly string[];
  readonly flip: Flip | undefined;
  /** The expectation of a case. */
  readonly expect: (verdict: ObjectVerdict) => unknown;
}

export function testAction(given: TestOf, exists: (uri: string) => boolean): Action {
  const uri = suiteUri(given.policyUri, exists);
  const create = new Map([[uri, suiteText(given, uri)]]);
  const title = given.flip === undefined ? "Add a test for this verdict" : "Add tests for both sides of this verdict";
  return { title, kind: "refactor.rewrite", edits: new Map(), create };
}

/** `policy.yaml` has its tests in `policy-tests.yaml`, or the next that is free. */
function suiteUri(policy: string, exists: (uri: string) => boolean): string {
  const stem = policy.replace(/\.(ya?ml|json)$/, "");
  for (let i = 1; ; i++) {
    const uri = `${stem}-tests${i === 1 ? "" : i}.yaml`;
    if (!exists(uri)) return uri;
  }
}

function suiteText({ verdict, resource, resources, flip, expect }: TestOf, uri: string): string {
  const name = nameOf(resource);
  // CRDs, webhooks and certificate policies are evaluated for their objects in any case.
  const asked = /AdmissionPolicy$/.test(String(resource.kind)) ? { policy: name } : {};
  const { object } = verdict.manifest;
  const own = `${String(object.kind)} ${nameOf(object)}`;
  const tests: unknown[] = [{ name: own, object: masked(object).object, ...asked, expect: expect(verdict) }];
  if (flip !== undefined) {
    tests.push({
      name: `${own} with ${changeText(flip)}`,
      object: masked(flip.object).object,
      ...asked,
      expect: expect(flip.verdict),
    });
  }
  const suite = {
    apiVersion: "celadon.dev/v1",
    kind: "TestSuite",
    metadata: { name },
    resources: resources.map((file) => relative(uri, file)),
    tests,
  };
  return stringify(suite, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** `spec.replicas 5`, `spec.hostNetwork removed`. */
export function changeText({ path, after, also = [] }: Flip): string {
  const own = after === undefined ? `${fieldText(path)} removed` : `${fieldText(path)} ${JSON.stringify(after)}`;
  return also.length === 0 ? own : `${own} and ${also.length} more`;
}

function relative(from: string, to: string): string {
  const [here, there] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++;
  return decodeURIComponent([...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/"));
}

/** Files that a resource needs to be tested: of a policy its bindings and params, of a certificate policy the roles. */
export function filesOf(
  resource: KubeObject,
  uri: string,
  placed: Iterable<{ readonly uri: string; readonly resource: { readonly object: KubeObject } }>,
): string[] {
  const all = [...placed];
  const name = nameOf(resource);
  if (resource.kind === "CertificateRequestPolicy") {
    const roles = all.filter(({ resource: { object } }) => /^(?:Cluster)?Role(?:Binding)?$/.test(String(object.kind)));
    return [...new Set([uri, ...roles.map((role) => role.uri)])];
  }
  if (!/AdmissionPolicy$/.test(String(resource.kind))) return [uri];
  const bindings = all.filter(
    ({ resource: { object } }) =>
      object.kind === `${String(resource.kind)}Binding` && valueAt(object, ["spec", "policyName"]) === name,
  );
  const params = new Set(
    bindings
      .map(({ resource: { object } }) => valueAt(object, ["spec", "paramRef", "name"]))
      .filter((param) => param !== undefined),
  );
  const paramKind = valueAt(resource, ["spec", "paramKind", "kind"]);
  const own = all.filter(({ resource: { object } }) => object.kind === paramKind && params.has(nameOf(object)));
  return [...new Set([uri, ...own.map((param) => param.uri), ...bindings.map((binding) => binding.uri)])];
}
