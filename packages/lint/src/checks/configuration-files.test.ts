// Files of a server's configuration through lint: places, help and versions.

import { readDocuments } from "@celadon/kube/read";
import { expect, test } from "vitest";
import { lint } from "../lint.ts";

const FILE = `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: http://example.com, audience: [app], audiences: [app]}
  claimMappings:
    username: {expression: clams.sub}
  userValidationRules:
  - {expression: "users.username != ''"}
`;

test("every problem with its code, field and help", async () => {
  const manifests = readDocuments(FILE).documents.map(({ value }) => ({ object: value as never }));
  const { problems } = await lint(manifests, { minors: ["1.33", "1.37"] });
  expect(problems.map(({ code, path, help = "" }) => `${code} ${path.join(".")}: ${help}`).sort()).toEqual([
    'compile_error jwt.0.claimMappings.username.expression: did you mean "claims"?',
    'compile_error jwt.0.userValidationRules.0.expression: did you mean "user"?',
    "invalid_field jwt.0.issuer.url: ",
    "not_served apiVersion: apiserver.config.k8s.io/v1 is served from 1.34 on",
    "unknown_field jwt.0.issuer.audience: ",
  ]);
});

const CHAIN = `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: hook
  webhook:
    timeout: 40s
    subjectAccessReviewVersion: v1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Fail
    connectionInfo: {type: InClusterConfig}
    matchConditions: [{expression: request.usr == 'x'}, {expression: object.x}]
- {type: RBAC, name: roles}
`;

test("an AuthorizationConfiguration", async () => {
  const manifests = readDocuments(CHAIN).documents.map(({ value }) => ({ object: value as never }));
  const { problems } = await lint(manifests);
  expect(problems.map(({ code, path, help = "" }) => `${code} ${path.join(".")}: ${help}`).sort()).toEqual([
    'compile_error authorizers.0.webhook.matchConditions.0.expression: did you mean "user"?',
    "compile_error authorizers.0.webhook.matchConditions.1.expression: ",
    "invalid_field authorizers.0.webhook.failurePolicy: ",
    "invalid_field authorizers.0.webhook.timeout: ",
  ]);
});
