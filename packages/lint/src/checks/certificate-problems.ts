// Certificate policies that no user may use. Reported only if the inputs contain RBAC: without it, nothing is known.

import { type KubeObject, nameOf, namespaceOf, valuesAt } from "@celadon/kube";
import type { Attributes } from "@celadon/kube-cel";
import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { type LintProblem, problem } from "../problem.ts";

export async function certificateProblems(
  policies: readonly Manifest[],
  simulated: SimulatedCluster,
): Promise<LintProblem[]> {
  const rbac = simulated.manifests("rbac").map(({ object }) => object);
  if (rbac.length === 0 || policies.length === 0) return [];
  const subjects = rbac.flatMap(subjectsOf);
  const found: LintProblem[] = [];
  for (const manifest of policies) {
    const name = nameOf(manifest.object);
    if (await isUsable(name, subjects, simulated)) continue;
    const message = "no role in the inputs lets anybody use this policy, so it never applies";
    const help = `grant the verb use on certificaterequestpolicies.policy.cert-manager.io with resourceNames: [${name}], and bind the role`;
    found.push(problem("no_use_permission", manifest, ["metadata", "name"], message, { help }));
  }
  return found;
}

interface Subject {
  readonly user: Attributes["user"];
  readonly namespace: string;
}

async function isUsable(name: string, subjects: readonly Subject[], simulated: SimulatedCluster): Promise<boolean> {
  for (const { user, namespace } of subjects) {
    const { decision } = await simulated.hosts.authorizer.authorize({
      user,
      verb: "use",
      resourceRequest: true,
      apiGroup: "policy.cert-manager.io",
      apiVersion: "*",
      resource: "certificaterequestpolicies",
      namespace,
      name,
    });
    if (decision === "allow") return true;
  }
  return false;
}

/** Everybody a binding names, where it names them. */
function subjectsOf(binding: KubeObject): Subject[] {
  const namespace = namespaceOf(binding);
  return valuesAt(binding, ["subjects", "*"]).map(({ value }) => {
    const { kind, name, namespace: own } = Object(value) as Record<string, unknown>;
    const text = String(name ?? "");
    const account = `system:serviceaccount:${String(own ?? namespace)}:${text}`;
    const user =
      kind === "Group"
        ? { name: "", groups: [text], extra: {} }
        : { name: kind === "ServiceAccount" ? account : text, groups: [], extra: {} };
    return { user, namespace };
  });
}
