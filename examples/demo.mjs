// The demonstration behind `npm start`: a policy with params and a binding, a pod that is denied, and why.

import { readFileSync } from "node:fs";
import { admit, admitEntries, createPolicySet, explain, refusalText } from "@celadon/admission";
import { createNamespaceSource, createParamSource, createResources } from "@celadon/admission/memory";
import { readDocuments } from "@celadon/kube/read";

const folder = new URL("trusted-images/", import.meta.url);
const objects = read("policy.yaml").map(({ value }) => value);
const [pod] = read("pod.yaml");

const policies = createPolicySet(objects.filter(({ kind }) => kind.startsWith("ValidatingAdmissionPolicy")));
const resources = createResources({});
const hosts = { namespaces: createNamespaceSource(objects), params: createParamSource(objects, resources), resources };
const request = {
  kind: { group: "", version: "v1", kind: "Pod" },
  resource: { group: "", version: "v1", resource: "pods" },
  name: pod.value.metadata.name,
  namespace: pod.value.metadata.namespace,
  operation: "CREATE",
  userInfo: { username: "ann" },
  object: pod.value,
};

title(`ann creates pod ${request.name} in namespace ${request.namespace}`);
const { allowed, status } = await admit(request, policies, hosts);
console.log(allowed ? "allowed" : `denied, ${status.code} ${status.reason}\n${status.message}`);

title("why");
const { expressions } = await explain(request, policies.entries(), hosts);
for (const expression of expressions.filter(({ kind }) => kind === "validation")) {
  console.log(`${expression.value ? "✓" : "✗"} ${expression.expression}   (cost ${expression.cost})`);
  if (expression.value === false) showFalse(expression.tree);
}

title("the same pod in namespace sandbox");
const elsewhere = await admitEntries({ ...request, namespace: "sandbox" }, policies.entries(), hosts);
const verdicts = elsewhere.verdicts.policies.flatMap(({ bindings = [], ...policy }) => [policy, ...bindings]);
console.log(elsewhere.allowed ? "allowed" : "denied");
for (const { outcome, refusal } of verdicts) {
  if (outcome === "refused") console.log(`trusted-images does not apply: ${refusalText(refusal)}`);
}

console.log("\n`node examples/engine.mjs` shows the expression engine alone: values, types, costs, errors, speed.");

/** What a false expression looked at: the element that decided, its values, and where they stand in the file. */
function showFalse(node, depth = 1) {
  const indent = "  ".repeat(depth);
  const deciding = node.loop?.deciding;
  if (deciding) console.log(`${indent}decided by ${deciding.path}`);
  else if (depth > 1) console.log(`${indent}${node.text} → ${JSON.stringify(node.value)}${place(node)}`);
  if (node.dataPath) return;
  const parts = deciding ? node.children.slice(1) : node.children;
  for (const part of parts)
    if (part.evaluated && (part.dataPath || part.children.length > 0)) showFalse(part, depth + 1);
}

function place({ dataPath }) {
  if (dataPath?.root !== "object") return "";
  const { file, line, column } = pod.positionOf(dataPath.path) ?? {};
  return file === undefined ? "" : `   ${file}:${line}:${column}`;
}

function read(file) {
  const { documents, issues } = readDocuments(readFileSync(new URL(file, folder), "utf8"), { file });
  if (issues.length > 0) throw new Error(issues[0].message);
  return documents;
}

function title(text) {
  console.log(`\n${text}\n${"─".repeat(text.length)}`);
}
