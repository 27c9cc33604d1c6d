// Every schema of a definition as it is written, with its place: outer ones first.

import { isRecord, type JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { valuesAt } from "@celadon/kube";

export interface SchemaNode {
  readonly path: JsonPath;
  /** Among the definition's versions. */
  readonly version: number;
  /** Steps from the version's schema: the same field has the same in all versions. */
  readonly inside: JsonPath;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The places at which schemas contain schemas with rules. */
const INNER = [["properties", "*"], ["items"], ["additionalProperties"]];

export function schemaNodes(object: KubeObject): readonly SchemaNode[] {
  const found: SchemaNode[] = [];
  const roots = valuesAt(object, ["spec", "versions", "*", "schema", "openAPIV3Schema"]);
  for (const { path, value } of roots) {
    const open: { inside: JsonPath; value: unknown }[] = [{ inside: [], value }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { inside, value: schema } = next;
      if (!isRecord(schema)) continue;
      found.push({ path: [...path, ...inside], version: Number(path[2]), inside, schema });
      const below = INNER.flatMap((pattern) => valuesAt(schema, pattern));
      for (const valueAt of below.toReversed())
        open.push({ inside: [...inside, ...valueAt.path], value: valueAt.value });
    }
  }
  return found;
}

export interface RuleNode extends SchemaNode {
  readonly index: number;
  readonly rule: Readonly<Record<string, unknown>>;
  readonly rulePath: JsonPath;
}

export function ruleNodes(nodes: readonly SchemaNode[]): readonly RuleNode[] {
  return nodes.flatMap((node) =>
    valuesAt(node.schema, ["x-kubernetes-validations", "*"]).flatMap(({ path, value }) =>
      isRecord(value) ? [{ ...node, index: Number(path[1]), rule: value, rulePath: [...node.path, ...path] }] : [],
    ),
  );
}
