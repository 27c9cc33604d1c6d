import { expect, test } from "vitest";
import { testServer } from "../server.testing.ts";

test("requests, admission, policies and watches are counted under the names of kube-apiserver", async () => {
  const { admin, server } = await testServer();
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "no-data" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      matchConditions: [{ name: "not-exempt", expression: "object.metadata.name != 'exempt'" }],
      validations: [{ expression: "!has(object.data)" }],
    },
  };
  const binding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "everywhere" },
    spec: { policyName: "no-data", validationActions: ["Deny", "Audit"] },
  };
  const policies = "/apis/admissionregistration.k8s.io/v1";
  await admin.call("POST", `${policies}/validatingadmissionpolicies`, { body: policy });
  await admin.call("POST", `${policies}/validatingadmissionpolicybindings`, { body: binding });
  const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "b" } });
  const path = "/api/v1/namespaces/default/configmaps";
  expect((await admin.call("POST", path, { body: configMap("refused") })).code).toBe(422);
  expect((await admin.call("POST", `${path}?dryRun=All`, { body: configMap("exempt") })).code).toBe(201);
  const watch = await admin.watch(`${path}?watch=true`);
  const text = (await admin.call("GET", "/metrics")).text;
  const labels = 'component="apiserver",dry_run="",group="",resource="configmaps",scope="namespace",subresource=""';
  const check = 'error_type="invalid_error",policy="no-data",policy_binding="everywhere"';
  for (const line of [
    `apiserver_request_total{code="422",${labels},verb="POST",version="v1"} 1`,
    `apiserver_request_total{code="201",${labels.replace('dry_run=""', 'dry_run="All"')},verb="POST",version="v1"} 1`,
    `apiserver_request_duration_seconds_count{${labels},verb="WATCH",version="v1"} 1`,
    'apiserver_longrunning_requests{component="apiserver",group="",resource="configmaps",scope="namespace",subresource="",verb="WATCH",version="v1"} 1',
    `apiserver_validating_admission_policy_check_total{enforcement_action="deny",${check}} 1`,
    `apiserver_validating_admission_policy_check_total{enforcement_action="audit",${check}} 1`,
    'apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="no-data",operation="CREATE",type="validate"} 1',
    'apiserver_admission_controller_admission_duration_seconds_count{name="ValidatingAdmissionPolicy",operation="CREATE",rejected="true",type="validate"} 1',
    'apiserver_resource_objects{group="admissionregistration.k8s.io",resource="validatingadmissionpolicies"} 1',
  ]) {
    expect(text).toContain(`\n${line}\n`);
  }
  watch.close();
  expect((await admin.call("GET", "/metrics")).text).toContain('verb="WATCH",version="v1"} 0\n');
  await server.close();
});
