// Writes the command line for the work at hand.

import type { Work } from "@celadon/language/playground";

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

export function commandLine({ mode, policy, object, oldObject, tests, request, kubeVersion }: Work): string {
  const { operation, user, groups = [], namespace, subresource } = request;
  const asking = [
    ...(operation ? ["--operation", operation] : []),
    ...(user ? ["--as", quoted(user)] : []),
    ...groups.flatMap((group) => ["--as-group", quoted(group)]),
    ...(namespace ? ["--namespace", quoted(namespace)] : []),
    ...(subresource ? ["--subresource", quoted(subresource)] : []),
  ];
  const version = kubeVersion === undefined ? [] : ["--kube-version", kubeVersion];
  const old = oldObject.trim() === "" ? [] : ["--old", "old-object.yaml"];
  if (mode === "cel") {
    const objects = [
      ...(object.trim() === "" ? [] : ["--object", "object.yaml"]),
      ...(oldObject.trim() === "" ? [] : ["--old-object", "old-object.yaml"]),
    ];
    const who = [...(user ? ["--as", quoted(user)] : []), ...groups.flatMap((group) => ["--as-group", quoted(group)])];
    return ["celadon eval", quoted(policy.trim()), ...objects, ...who, ...version].join(" ");
  }
  const files = ["-f policy.yaml -f object.yaml", ...old];
  const verb = mode === "mutating" ? "mutate" : "explain";
  const line = [`celadon ${verb}`, ...files, ...asking, ...version].join(" ");
  return tests.trim() === "" ? line : `${line}\nceladon test tests.yaml --coverage`;
}
