// Repeated expressions, and atomic fields of apply configurations.

import { expect, test } from "vitest";
import { lint } from "../lint.ts";

const META = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name: "p" } };
const MATCH = {
  resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
};

async function codesOf(object: Record<string, unknown>): Promise<string[]> {
  const { problems } = await lint([{ object: { ...META, ...object } }]);
  return problems
    .filter(({ code }) => code !== "policy_without_binding")
    .map(({ code, level, path }) => `${level} ${code} ${path.join(".")}`);
}

// biome-ignore format: one case per line
test.each([
  ["has(object.spec)", "has( object.spec ) // again", ["warning duplicate_validation spec.validations.1.expression"]],
  ["object.metadata.name == 'a'", 'object.metadata.name == "a"', ["warning duplicate_validation spec.validations.1.expression"]],
  ["object.spec.replicas < 3", "object.spec.replicas < 4", []],
])("%s and %s", async (first, second, wanted) => {
  const spec = { matchConstraints: MATCH, validations: [{ expression: first }, { expression: second }] };
  expect(await codesOf({ kind: "ValidatingAdmissionPolicy", spec })).toEqual(wanted);
});

const AT = "spec.mutations.0.applyConfiguration.expression";

// biome-ignore format: one case per line
test.each([
  ["Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{tolerations: []}}}}", [`error atomic_in_configuration ${AT}`]],
  ["has(object.spec.paused) ? Object{} : Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}", [`error atomic_in_configuration ${AT}`]],
  ["Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.filter(c, true).map(c, Object.spec.template.spec.containers{name: c.name, command: ['a']})}}}}", [`error atomic_in_configuration ${AT}`]],
  ["Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [] + (has(object.spec.paused) ? [] : [Object.spec.template.spec.containers{name: 'a', args: ['a']}])}}}}", [`error atomic_in_configuration ${AT}`]],
  ["Object{spec: Object.spec{?template: optional.of(Object.spec.template{spec: Object.spec.template.spec{tolerations: []}})}}", [`error atomic_in_configuration ${AT}`]],
  ["Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, imagePullPolicy: 'Always'})}}}}", []],
  ["Object{metadata: Object.metadata{labels: {'a': 'b'}}, spec: Object.spec{replicas: 1}}", []],
])("%s", async (expression, wanted) => {
  const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }];
  const spec = { reinvocationPolicy: "Never", matchConstraints: MATCH, mutations };
  expect(await codesOf({ kind: "MutatingAdmissionPolicy", spec })).toEqual(wanted);
});
