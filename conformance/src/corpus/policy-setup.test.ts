// Policies and bindings of the corpus as a server was given them: accepted, or refused with its text. Type checking and findings
// are asked of all of them: they must answer, whatever they say.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createParamSource, createResources, createSchemas } from "@celadon/admission/memory";
import {
  checkTypes,
  findProblems,
  policyResourceKind,
  readPolicyResource,
  validateBinding,
  validatePolicy,
  withBindingDefaults,
  withPolicyDefaults,
} from "@celadon/admission/resources";
import { type FieldError, invalidObject, type KubeObject, nameOf } from "@celadon/kube";
import { readDocuments } from "@celadon/kube/read";
import { describe, expect, test } from "vitest";
import { CORPUS, corpusCases } from "./policy-cases.ts";

interface Setup {
  readonly code: number;
  readonly message?: string;
  readonly policy?: string;
  readonly binding?: string;
}

const GROUP = "admissionregistration.k8s.io";
const names = corpusCases();
if (names.length === 0) console.warn(`no corpus at ${CORPUS}: its policies are not tested`);

function documents(name: string, file: string): KubeObject[] {
  const path = join(CORPUS, name, file);
  if (!existsSync(path)) return [];
  return readDocuments(readFileSync(path, "utf8"), { file }).documents.flatMap(({ value }) =>
    value === null ? [] : [value as KubeObject],
  );
}

const policiesOf = (name: string) =>
  documents(name, "policy.yaml")
    .filter((one) => policyResourceKind(one) === "ValidatingAdmissionPolicy")
    .map((one) => withPolicyDefaults(readPolicyResource(one, "ValidatingAdmissionPolicy").resource!));

const bindingsOf = (name: string) =>
  documents(name, "binding.yaml")
    .filter((one) => policyResourceKind(one) === "ValidatingAdmissionPolicyBinding")
    .map((one) => withBindingDefaults(readPolicyResource(one, "ValidatingAdmissionPolicyBinding").resource!));

describe.skipIf(names.length === 0)("policies of the corpus", () => {
  test.each(names)("%s", async (name) => {
    const recorded = JSON.parse(readFileSync(join(CORPUS, name, "recorded.json"), "utf8")) as {
      setup: readonly Setup[];
    };
    const answers = new Map(
      recorded.setup.map((one) => [`${one.policy === undefined ? "b" : "p"} ${one.policy ?? one.binding}`, one]),
    );
    const compare = (key: string, kind: string, resource: KubeObject, errors: readonly FieldError[]): void => {
      const answer = answers.get(`${key} ${nameOf(resource)}`);
      if (answer === undefined) return;
      const message =
        errors.length === 0 ? undefined : invalidObject({ group: GROUP, kind }, nameOf(resource), errors).message;
      expect(message).toBe(answer.code < 300 ? undefined : answer.message);
    };
    const policies = policiesOf(name);
    const bindings = bindingsOf(name);
    for (const one of policies) compare("p", one.kind, { ...one }, validatePolicy(one));
    for (const one of bindings) compare("b", one.kind, { ...one }, validateBinding(one));

    const definitions = documents(name, "crds.yaml");
    const schemas = createSchemas({ definitions });
    for (const one of policies) expect((await checkTypes(one, schemas)).kinds.length).toBeLessThanOrEqual(40);
    const params = createParamSource(documents(name, "params.yaml"), createResources({ definitions }));
    const dangling = (await findProblems({ policies, bindings }, { params })).filter(
      ({ code }) => code === "dangling_policy_name",
    );
    expect(dangling).toEqual([]);
  });
});
