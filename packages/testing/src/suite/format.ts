// The format of test suites, field by field. docs/reference/test-format.md describes it; editors show the descriptions
// here through the JSON schema.

import { WORKLOAD_KINDS } from "@celadon/admission/autogen";
import { type JsonSchema, jsonSchemaOf } from "./read/json-schema.ts";
import {
  ANY,
  BOOL,
  COUNT,
  choice,
  either,
  type Field,
  field,
  fields,
  listOf,
  MANIFEST,
  mapOf,
  NULL,
  oneOrMore,
  required,
  type Shape,
  TEXT,
} from "./read/shape.ts";

/** The version of suites. */
export const API_VERSION = "celadon.dev/v1";
/** The kind of suites. */
export const SUITE_KIND = "TestSuite";

/** The verdicts that a case may expect. */
export const VERDICTS = ["allow", "deny", "warn", "audit", "error", "unmatched", "approve", "unprocessed"] as const;
export const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/** A path, or an object written in place. */
const SOURCE: Shape = either(TEXT, MANIFEST);
const SOURCES: Shape = listOf(SOURCE);

const USER: Shape = fields({
  username: field(TEXT, "The user's name."),
  uid: field(TEXT, "The user's uid."),
  groups: field(listOf(TEXT), "The user's groups."),
  extra: field(mapOf(listOf(TEXT)), "Extra attributes of the user."),
});

const NAMESPACE: Shape = fields({
  name: required(TEXT, "The namespace's name."),
  labels: field(mapOf(TEXT), "Its labels, for namespaceSelector and namespaceObject."),
  annotations: field(mapOf(TEXT), "Its annotations."),
});

const ANSWER: Shape = fields({
  user: field(TEXT, "The user whose permission is checked."),
  group: field(TEXT, "A group of that user."),
  verb: field(TEXT, "The verb, such as get or create."),
  apiGroup: field(TEXT, "The API group of the resource."),
  resource: field(TEXT, "The resource."),
  subresource: field(TEXT, "The subresource."),
  namespace: field(TEXT, "The namespace."),
  name: field(TEXT, "The object's name."),
  path: field(TEXT, "A non-resource path, such as /healthz."),
  decision: required(choice("allow", "deny", "noOpinion"), "The authorizer's decision."),
  reason: field(TEXT, "The reason for the decision."),
  error: field(TEXT, "An error instead of a decision."),
});

const WORDS_FIELDS: Shape = fields({
  contains: field(TEXT, "Part of the text."),
  matches: field(TEXT, "An RE2 pattern that matches part of the text."),
});

/** A text, or matchers of a text: exactly this, or as the fields describe. */
const WORDS: Shape = either(TEXT, WORDS_FIELDS);

const FAILURE: Shape = fields({
  system: field(
    choice("validation", "schema", "mutation", "rules", "policy", "webhook", "certificate"),
    "The system that reports the failure.",
  ),
  policy: field(TEXT, "The policy, CRD, webhook configuration or certificate policy that reports the failure."),
  binding: field(TEXT, "Its binding."),
  params: field(TEXT, "The params in use, as namespace/name."),
  validation: field(COUNT, "Index in the policy's validations, from 0."),
  level: field(choice("deny", "warn", "audit", "ignored"), "The effect of the failure."),
  message: field(WORDS, "Its message."),
  reason: field(TEXT, "Its reason."),
  path: field(TEXT, "The field of the object, such as spec.containers[0].image."),
  error: field(BOOL, "Whether evaluation failed, rather than returned false."),
});

const MUTATION: Shape = fields({
  policy: field(TEXT, "The mutating policy, or the webhook configuration."),
  binding: field(TEXT, "Its binding, or the webhook's name."),
  params: field(TEXT, "The params in use, as namespace/name."),
  mutation: field(COUNT, "Index in the policy's mutations, from 0."),
  patch: field(listOf(ANY), "The changes, as JSON patch operations in any order."),
});

const EXPECTATION: Shape = fields({
  verdict: field(choice(...VERDICTS), "The verdict on the request."),
  allowed: field(BOOL, "Whether the API server allows the request, whatever the verdict."),
  matched: field(BOOL, "Whether anything that the case tests was evaluated."),
  message: field(WORDS, "The message of the returned failure; for warn and audit, of the first failure."),
  anyFailure: field(BOOL, "Accept the message of any failure."),
  statusMessage: field(WORDS, "The whole message of the returned Status."),
  reason: field(TEXT, "The reason of the returned Status: Invalid, Forbidden…"),
  code: field(COUNT, "The HTTP status code."),
  failures: field(either(COUNT, listOf(FAILURE)), "All failures in any order, or their number."),
  warnings: field(either(COUNT, listOf(WORDS)), "The Warning headers in order, or their number."),
  auditAnnotations: field(
    mapOf(either(TEXT, WORDS_FIELDS, NULL)),
    "Annotations of the audit event; null means absent.",
  ),
  cost: field(
    either(
      COUNT,
      fields({ max: field(COUNT, "Limit for the total."), policies: field(mapOf(COUNT), "Limits per policy or CRD.") }),
    ),
    "The maximum cost of evaluating policies and CRD rules.",
  ),
  webhooks: field(
    fields({
      called: field(listOf(TEXT), "Exactly the webhooks that are called."),
      notCalled: field(listOf(TEXT), "Webhooks that are not called."),
    }),
    "The called webhooks, by name.",
  ),
  object: field(mapOf(ANY), "Part of the object as stored, with defaults and mutations, without unknown fields."),
  mutations: field(
    either(COUNT, listOf(MUTATION)),
    "The mutations that change something, in order, or their number: of mutating policies and of webhooks with an answer.",
  ),
});

/** The circumstances of a request. Everything here may stand in defaults, tests and cases. */
const SITUATION: Readonly<Record<string, Field>> = {
  object: field(
    SOURCE,
    "The object: a file, file.yaml#name, Kind/name or Kind/namespace/name from objects, or written inline.",
  ),
  oldObject: field(SOURCE, "The existing object; makes the request an UPDATE."),
  operation: field(
    choice(...OPERATIONS),
    "By default UPDATE if there is an oldObject, otherwise CREATE. For DELETE, object is the object to delete.",
  ),
  subresource: field(TEXT, "The subresource of the request, such as status or scale."),
  resource: field(choice("pods", "services", "nodes"), "For CONNECT: the resource to connect to."),
  objectName: field(TEXT, "The object's name, if it has none."),
  user: field(either(TEXT, USER), "The user who sends the request: a name, or name, groups, uid and extra."),
  namespace: field(either(TEXT, NAMESPACE), "The namespace of the request: a name, or name, labels and annotations."),
  params: field(SOURCES, "Params for this case; those of the same kind and name are replaced."),
  resources: field(SOURCES, "More resources for this case; those of the same kind and name are replaced."),
  rbac: field(SOURCES, "Roles and role bindings for this case."),
  authorizer: field(listOf(ANSWER), "Authorization decisions that override RBAC; the first that matches counts."),
  webhookAnswers: field(
    mapOf(mapOf(ANY)),
    "Answers of webhooks by name: the response of an AdmissionReview, with the patch as a list. Other webhooks are not called.",
  ),
  policy: field(
    oneOrMore(TEXT),
    "The tested resources: only these policies, webhook configurations and certificate policies are in force.",
  ),
  binding: field(oneOrMore(TEXT), "Only these bindings are in force."),
  serverDefaults: field(BOOL, "false: do not apply the API server's defaults."),
  serverValidation: field(
    BOOL,
    "false: do not validate objects of built-in kinds, so that they can omit fields that policies do not read.",
  ),
  fieldValidation: field(
    choice("Strict", "Warn", "Ignore"),
    "Unknown fields: Strict rejects the request, as kubectl asks for; Warn warns; Ignore drops them.",
  ),
  dryRun: field(BOOL, "The request is a dry run."),
  options: field(mapOf(ANY), "CreateOptions, UpdateOptions or DeleteOptions."),
};

const PATCH: Field = field(
  either(mapOf(ANY), listOf(ANY)),
  "A change to the object, or to oldObject if there is one: a JSON merge patch, or a list of JSON patch operations.",
);
const EXPECT: Field = field(
  either(choice(...VERDICTS), EXPECTATION),
  "The expected result: a verdict, or more fields.",
);
const NAME: Field = required(TEXT, "The name, unique in the suite.");

const PROVE: Field = field(
  fields({
    that: required(TEXT, "A CEL expression that must hold for every request that the policies allow."),
    assuming: field(TEXT, "A CEL expression: only requests for which it holds count."),
  }),
  "Instead of a request and an expectation: a statement that must be proved about every request that the policies allow.",
);

const CASE: Shape = fields({ name: NAME, ...SITUATION, patch: PATCH, expect: EXPECT, prove: PROVE });

const TEST: Shape = fields({
  name: NAME,
  ...SITUATION,
  patch: PATCH,
  expect: EXPECT,
  prove: PROVE,
  cases: field(
    listOf(CASE, true),
    "Variations of the test: each inherits the test's fields and can override them. Patches add up.",
  ),
});

export const SUITE: Shape = fields({
  apiVersion: required(choice(API_VERSION), "The version of this format."),
  kind: required(choice(SUITE_KIND), "A test suite."),
  metadata: field(fields({ name: field(TEXT, "The suite's name; by default the file's.") }), "The suite's name."),
  kubeVersion: field(TEXT, 'The Kubernetes version to emulate, such as "1.36", or several: "1.33..1.37".'),
  autogen: field(
    either(BOOL, listOf(choice(...WORKLOAD_KINDS))),
    "Derive policies for workloads from policies for pods: for all workloads, or for these kinds.",
  ),
  resources: field(
    SOURCES,
    "Policies, bindings, params, CRDs, webhooks, namespaces, RBAC: as files, directories, globs or objects.",
  ),
  objects: field(SOURCES, "Objects that cases refer to by name."),
  defaults: field(fields(SITUATION), "Fields that every case inherits."),
  tests: required(listOf(TEST), "The tests."),
});

/** For editors. */
export function suiteSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://celadon.dev/schemas/test-suite.schema.json",
    title: "Celadon test suite",
    ...jsonSchemaOf(SUITE),
  };
}
