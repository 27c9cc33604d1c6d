// Mutations beside the reference implementation: every case of cases.mjs through both. Not part of the tests.
//
//   d=$(mktemp -d) && cp main.go go.mod $d && (cd $d && go mod tidy && go build -o mutations .)
//   node compare.mjs $d/mutations <kubernetes>/api/openapi-spec/v3

import { spawnSync } from "node:child_process";
import { createMutatingPolicySet } from "@celadon/admission/mutating";
import { formatGoJson } from "@celadon/base";
import { gvkOf } from "@celadon/kube";
import { readSchema } from "@celadon/kube/schemas";
import { builtinMergeType, customMergeType } from "@celadon/merge";
import { mutate } from "../../../packages/admission/dist/mutating/dispatch.js";
import { cases } from "./cases.mjs";

const [binary, documents] = process.argv.slice(2);
const input = cases.map((testCase) => JSON.stringify(testCase)).join("\n");
const { stdout } = spawnSync(binary, [documents], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
// Protobuf writes some spaces of its errors as others, so that nobody relies on them.
const theirs = stdout
  .replaceAll("\u00a0", " ")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const tally = { same: 0, "same error": 0, "panic there": 0, different: 0 };
for (const [i, question] of cases.entries()) {
  const ours = await answer(question);
  const outcome = verdict(theirs[i], ours);
  tally[outcome]++;
  if (outcome !== "different") continue;
  console.log(`${question.patchType} ${question.expression}`);
  console.log("  theirs", show(theirs[i]));
  console.log("  ours  ", show(ours));
}
console.log(tally);

function show({ error, object }) {
  return error ?? JSON.stringify(object);
}

async function answer({ patchType, expression, object, schema }) {
  const { group, version, kind } = gvkOf(object);
  const body = patchType === "JSONPatch" ? { jsonPatch: { expression } } : { applyConfiguration: { expression } };
  const resource = `${kind.toLowerCase()}s`;
  const matchConstraints = {
    resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }],
  };
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: { failurePolicy: "Fail", reinvocationPolicy: "Never", matchConstraints, mutations: [{ patchType, ...body }] },
  };
  const binding = { ...policy, kind: "MutatingAdmissionPolicyBinding", spec: { policyName: "p" } };
  const type = schema === undefined ? builtinMergeType({ group, version, kind }) : customMergeType(readSchema(schema));
  const hosts = { mergeType: () => type };
  const request = {
    kind: { group, version, kind },
    resource: { group, version, resource },
    name: "t",
    operation: "CREATE",
    userInfo: { username: "u" },
    object,
    oldObject: null,
  };
  const report = await mutate(request, createMutatingPolicySet([policy, binding]), hosts);
  const [result] = report.invocations.flatMap(({ mutations }) => mutations);
  if (result === undefined) return { error: report.status?.message ?? "nothing ran" };
  if (result.error !== undefined) return { error: sorted(result.error) };
  const text = formatGoJson(result.after);
  const odd = /:(-?Infinity|NaN)[,}\]]/.exec(text)?.[1];
  if (odd !== undefined)
    return { error: `marshal: json: unsupported value: ${{ Infinity: "+Inf", "-Infinity": "-Inf" }[odd] ?? odd}` };
  return { object: JSON.parse(text) };
}

function sorted(text) {
  const [first, ...rest] = text.split("\n");
  return [first, ...rest.sort()].join("\n");
}

function verdict(there, here) {
  if (there.error?.startsWith("panic")) return "panic there";
  if (there.error !== undefined) return there.error === here.error ? "same error" : "different";
  return here.error === undefined && formatGoJson(there.object) === formatGoJson(here.object) ? "same" : "different";
}
