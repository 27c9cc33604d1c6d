// Files of a server's configuration: validated as the server does it, and objects of no request.

import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { SimulatedCluster } from "../simulated/simulated-cluster.ts";

const file = (issuer: object): KubeObject =>
  ({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthenticationConfiguration",
    jwt: [{ issuer: { audiences: ["app"], ...issuer }, claimMappings: { username: { claim: "sub", prefix: "" } } }],
  }) as KubeObject;

const denyAll: readonly KubeObject[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "nothing" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }],
      },
      validations: [{ expression: "false" }],
    },
  } as KubeObject,
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "nothing" },
    spec: { policyName: "nothing", validationActions: ["Deny"] },
  } as KubeObject,
];

const messages = async (object: KubeObject): Promise<readonly [boolean, readonly string[], readonly string[]]> => {
  const { allowed, problems, assumptions } = await SimulatedCluster.of(
    denyAll.map((policy) => ({ object: policy })),
  ).review({ object });
  return [allowed, problems.map(({ message, returned }) => `${returned} ${message}`), assumptions];
};

test("a file needs no name, and no policy sees it", async () => {
  expect(await messages(file({ url: "https://example.com" }))).toEqual([true, [], []]);
});

test("a file that ends the start of a server is denied, with every problem", async () => {
  const invalid = file({ url: "http://example.com", urls: 1 });
  expect(await messages(invalid)).toEqual([
    false,
    [
      'true unknown field "jwt[0].issuer.urls"',
      'false jwt[0].issuer.url: Invalid value: "http://example.com": URL scheme must be https',
    ],
    [],
  ]);
});
