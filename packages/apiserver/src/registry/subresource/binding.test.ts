// A Binding in admission. The answers are those of kube-apiserver 1.36.4.

import { expect, test } from "vitest";
import { testServer } from "../../server.testing.ts";

const PODS = "/api/v1/namespaces/default/pods";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";

test.each([
  ["pods/binding", `${PODS}/p/binding`, "pods/binding true"],
  ["bindings", "/api/v1/namespaces/default/bindings", "bindings/ true"],
])("%s, with the manager of its fields", async (_, path, seen) => {
  const { admin } = await testServer({ withoutPlugins: ["ServiceAccount"] });
  const apiVersion = "admissionregistration.k8s.io/v1";
  const metadata = { name: "p" };
  const spec = { containers: [{ name: "c", image: "i" }] };
  await admin.call("POST", PODS, { body: { apiVersion: "v1", kind: "Pod", metadata, spec } });
  const rule = {
    apiGroups: [""],
    apiVersions: ["v1"],
    operations: ["CREATE"],
    resources: ["bindings", "pods/binding"],
  };
  const messageExpression =
    "request.resource.resource + '/' + request.?subResource.orValue('') + ' ' + string(has(object.metadata.managedFields))";
  const policy = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: "false", messageExpression }],
  };
  const binding = { policyName: "p", validationActions: ["Warn"] };
  await admin.call("POST", `${ADMISSION}ies`, {
    body: { apiVersion, kind: "ValidatingAdmissionPolicy", metadata, spec: policy },
  });
  await admin.call("POST", `${ADMISSION}ybindings`, {
    body: { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata, spec: binding },
  });
  const body = { apiVersion: "v1", kind: "Binding", metadata, target: { name: "n" } };
  const reply = await admin.call("POST", path, { body });
  expect([reply.code, reply.warnings]).toEqual([
    201,
    [`Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': ${seen}`],
  ]);
});
