// Policies and bindings of the corpus as a server was given them: accepted, or refused with its text. Type checking and findings run on all
// of them: they must answer, with any result.

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
import { type KubeObject, nameOf } from "@celadon/kube";
import type { FieldError } from "@celadon/kube/errors";
import { readDocuments } from "@celadon/kube/read";
import { invalidObject } from "@celadon/kube/status";
import { describe, expect, test } from "vitest";
import { corpusCaseNames, hasCorpus } from "./corpus-directory.ts";
import { POLICIES } from "./policy-cases.ts";

interface Setup {
  readonly code: number;
  readonly message?: string;
  readonly policy?: string;
  readonly binding?: string;
}

const GROUP = "admissionregistration.k8s.io";
const names = corpusCaseNames("policies");

function documents(name: string, file: string): KubeObject[] {
  const path = join(POLICIES, name, file);
  if (!existsSync(path)) return [];
  return readDocuments(readFileSync(path, "utf8"), { file }).documents.flatMap(({ value }) =>
    value === null ? [] : [value as KubeObject],
  );
}

const policiesOf = (name: string) =>
  documents(name, "policy.yaml")
    .filter((document) => policyResourceKind(document) === "ValidatingAdmissionPolicy")
    .map((document) => withPolicyDefaults(readPolicyResource(document, "ValidatingAdmissionPolicy").resource!));

const bindingsOf = (name: string) =>
  documents(name, "binding.yaml")
    .filter((document) => policyResourceKind(document) === "ValidatingAdmissionPolicyBinding")
    .map((document) => withBindingDefaults(readPolicyResource(document, "ValidatingAdmissionPolicyBinding").resource!));

describe.skipIf(!hasCorpus)("policies of the corpus", () => {
  test.each(names)("%s", async (name) => {
    const recorded = JSON.parse(readFileSync(join(POLICIES, name, "recorded.json"), "utf8")) as {
      setup: readonly Setup[];
    };
    const answers = new Map(
      recorded.setup.map((setup) => [
        `${setup.policy === undefined ? "b" : "p"} ${setup.policy ?? setup.binding}`,
        setup,
      ]),
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
    for (const policy of policies) compare("p", policy.kind, { ...policy }, validatePolicy(policy));
    for (const binding of bindings) compare("b", binding.kind, { ...binding }, validateBinding(binding));

    const definitions = documents(name, "crds.yaml");
    const schemas = createSchemas({ definitions });
    for (const policy of policies) expect((await checkTypes(policy, schemas)).kinds.length).toBeLessThanOrEqual(40);
    const params = createParamSource(documents(name, "params.yaml"), createResources({ definitions }));
    const dangling = (await findProblems({ policies, bindings }, { params })).filter(
      ({ code }) => code === "dangling_policy_name",
    );
    expect(dangling).toEqual([]);
  });
});
