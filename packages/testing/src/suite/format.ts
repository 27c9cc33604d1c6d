// The format of test suites, field by field. docs/reference/test-format.md tells it to people; what is said of fields here is
// shown by editors through the JSON schema.

import { WORKLOAD_KINDS } from "@celadon/admission/autogen";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
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
} from "./shape.ts";

export const API_VERSION = "celadon.dev/v1";
export const SUITE_KIND = "TestSuite";

export const VERDICTS = ["allow", "deny", "warn", "audit", "error", "unmatched", "approve", "unprocessed"] as const;
export const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/** A path, or an object written in place. */
const SOURCE: Shape = either(TEXT, MANIFEST);
const SOURCES: Shape = listOf(SOURCE);

const USER: Shape = fields({
  username: field(TEXT, "The user's name."),
  uid: field(TEXT, "The user's uid."),
  groups: field(listOf(TEXT), "The user's groups."),
  extra: field(mapOf(listOf(TEXT)), "What the authenticator knows beside that."),
});

const NAMESPACE: Shape = fields({
  name: required(TEXT, "The namespace's name."),
  labels: field(mapOf(TEXT), "Its labels, for namespaceSelector and namespaceObject."),
  annotations: field(mapOf(TEXT), "Its annotations."),
});

const ANSWER: Shape = fields({
  user: field(TEXT, "Whom is asked about."),
  group: field(TEXT, "A group of whom is asked about."),
  verb: field(TEXT, "What is to be done."),
  apiGroup: field(TEXT, "The group of the resource."),
  resource: field(TEXT, "The resource."),
  subresource: field(TEXT, "The subresource."),
  namespace: field(TEXT, "In which namespace."),
  name: field(TEXT, "The object's name."),
  path: field(TEXT, "A path that is no resource."),
  decision: required(choice("allow", "deny", "noOpinion"), "What the authorizer answers."),
  reason: field(TEXT, "The reason it gives."),
  error: field(TEXT, "The error it gives."),
});

const WORDS_FIELDS: Shape = fields({
  contains: field(TEXT, "A part of the text."),
  matches: field(TEXT, "An RE2 pattern that matches somewhere in it."),
});

/** What a text has to be: exactly this, or what the fields say. */
const WORDS: Shape = either(TEXT, WORDS_FIELDS);

const FAILURE: Shape = fields({
  system: field(choice("schema", "rules", "policy", "webhook", "certificate"), "Which system spoke."),
  policy: field(TEXT, "The policy (or definition, webhook configuration, certificate policy) that spoke."),
  binding: field(TEXT, "Its binding."),
  params: field(TEXT, "The params it spoke with, as namespace/name."),
  validation: field(COUNT, "Which entry of the policy's validations, from 0."),
  level: field(choice("deny", "warn", "audit", "ignored"), "What becomes of it."),
  message: field(WORDS, "Its message."),
  reason: field(TEXT, "Its reason."),
  path: field(TEXT, "The field of the object it is about: spec.containers[0].image."),
  error: field(BOOL, "The expression failed instead of being false."),
});

const EXPECTATION: Shape = fields({
  verdict: field(choice(...VERDICTS), "What the request comes to."),
  allowed: field(BOOL, "Whether the API server lets the request pass, whatever the verdict."),
  matched: field(BOOL, "Whether anything the case is about was evaluated."),
  message: field(WORDS, "The message of the failure that is returned; for warn and audit of the first failure."),
  anyFailure: field(BOOL, "Let message be that of any failure."),
  statusMessage: field(WORDS, "The whole text a client reads."),
  reason: field(TEXT, "The reason of the returned Status: Invalid, Forbidden…"),
  code: field(COUNT, "The HTTP status code."),
  failures: field(either(COUNT, listOf(FAILURE)), "All failures in any order, or how many."),
  warnings: field(either(COUNT, listOf(WORDS)), "The Warning headers in order, or how many."),
  auditAnnotations: field(mapOf(either(TEXT, WORDS_FIELDS, NULL)), "Annotations of the audit event; null: not there."),
  cost: field(
    either(
      COUNT,
      fields({ max: field(COUNT, "Of all together."), policies: field(mapOf(COUNT), "By policy or definition.") }),
    ),
    "The most that evaluating policies and CRD rules may cost.",
  ),
  webhooks: field(
    fields({
      called: field(listOf(TEXT), "The webhooks that are called, no others."),
      notCalled: field(listOf(TEXT), "Webhooks that are not called."),
    }),
    "Which webhooks are called, by name.",
  ),
  object: field(mapOf(ANY), "Part of the object as it is stored: defaults set, unknown fields dropped."),
});

/** What a request is made under. Everything here may stand in defaults, tests and cases. */
const SITUATION: Readonly<Record<string, Field>> = {
  object: field(
    SOURCE,
    "The object: a file, file.yaml#name, Kind/name or Kind/namespace/name of objects, or in place.",
  ),
  oldObject: field(SOURCE, "The object as it was; makes the request an UPDATE."),
  operation: field(
    choice(...OPERATIONS),
    "CREATE, with oldObject UPDATE. DELETE has to be said; object is what is deleted.",
  ),
  subresource: field(TEXT, "The subresource the request is for: status, scale…"),
  resource: field(choice("pods", "services", "nodes"), "Of CONNECT: what is connected to."),
  objectName: field(TEXT, "The object's name, where the object has none."),
  user: field(either(TEXT, USER), "Who asks: a name, or name, groups, uid and extra."),
  namespace: field(either(TEXT, NAMESPACE), "Where: the name of a namespace, or name, labels and annotations."),
  params: field(SOURCES, "Params for this case; those of the same kind and name are replaced."),
  resources: field(SOURCES, "More resources for this case; those of the same kind and name are replaced."),
  rbac: field(SOURCES, "Roles and bindings of them for this case."),
  authorizer: field(listOf(ANSWER), "Answers that come before RBAC is asked; the first that fits counts."),
  policy: field(
    oneOrMore(TEXT),
    "What the case is about: only these policies, webhook and certificate policies are there.",
  ),
  binding: field(oneOrMore(TEXT), "Only these bindings are there."),
  serverDefaults: field(BOOL, "false: objects are taken as they are written, without the API server's defaults."),
  serverValidation: field(
    BOOL,
    "false: objects of built-in kinds are not validated, so that they may leave out what policies do not look at.",
  ),
  dryRun: field(BOOL, "The request is a dry run."),
  options: field(mapOf(ANY), "CreateOptions, UpdateOptions or DeleteOptions."),
};

const PATCH: Field = field(
  either(mapOf(ANY), listOf(ANY)),
  "A change of the object (with oldObject: of that one): a JSON merge patch, or a list of JSON patch operations.",
);
const EXPECT: Field = field(either(choice(...VERDICTS), EXPECTATION), "What has to come of it: a verdict, or more.");
const NAME: Field = required(TEXT, "The name, once in a suite.");

const CASE: Shape = fields({ name: NAME, ...SITUATION, patch: PATCH, expect: EXPECT });

const TEST: Shape = fields({
  name: NAME,
  ...SITUATION,
  patch: PATCH,
  expect: EXPECT,
  cases: field(listOf(CASE, true), "Variations: each has what the test has, and what it says itself. Patches add up."),
});

export const SUITE: Shape = fields({
  apiVersion: required(choice(API_VERSION), "The version of this format."),
  kind: required(choice(SUITE_KIND), "A test suite."),
  metadata: field(fields({ name: field(TEXT, "The suite's name; without it the file's.") }), "The suite's name."),
  kubeVersion: field(TEXT, 'The Kubernetes minor to be: "1.36".'),
  autogen: field(
    either(BOOL, listOf(choice(...WORKLOAD_KINDS))),
    "Derive policies for workloads from the suite's pod policies: all of them, or for these kinds.",
  ),
  resources: field(
    SOURCES,
    "Policies, bindings, params, definitions, webhooks, namespaces, RBAC: files, directories, globs, objects.",
  ),
  objects: field(SOURCES, "Objects that cases refer to by name."),
  defaults: field(fields(SITUATION), "What every case has unless it says otherwise."),
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
