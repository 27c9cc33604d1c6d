// Where a field stands in YAML text, found in the parsed document: through aliases and merge keys to the place it is
// written at.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { FieldPlace } from "./json-locate.ts";
import type { JsonPath } from "./position.ts";
import { keyTextOf } from "./yaml-data.ts";
import { aliasTargets, isMergeKey, offsetOf, resolveScalar, type YamlNode } from "./yaml-value.ts";

export function locateYaml(document: Document.Parsed, path: JsonPath): FieldPlace | undefined {
  const targets = aliasTargets(document);
  const follow = (node: YamlNode): YamlNode => (isAlias(node) ? follow(targets.get(node) ?? null) : node);
  let node: YamlNode = document.contents;
  let place: FieldPlace = { key: undefined, value: offsetOf(node) };
  for (const step of path) {
    const container = follow(node);
    if (typeof step === "number") {
      if (!isSeq(container) || step >= container.items.length) return undefined;
      node = container.items[step] as YamlNode;
      place = { key: undefined, value: offsetOf(node) };
    } else {
      const pair = findPair(container, step, follow);
      if (pair === undefined) return undefined;
      node = pair.value;
      const key = offsetOf(pair.key);
      place = { key, value: pair.value === null ? key : offsetOf(pair.value) };
    }
  }
  return place;
}

type Follow = (node: YamlNode) => YamlNode;

// The last one in the order they stand counts, merged or not.
function findPair(node: YamlNode, name: string, follow: Follow): Pair<Node, YamlNode> | undefined {
  if (!isMap(node)) return undefined;
  for (const pair of (node.items as Pair<Node, YamlNode>[]).toReversed()) {
    if (isMergeKey(pair.key)) {
      const value = follow(pair.value);
      const sources = isSeq(value) ? (value.items as YamlNode[]) : [value];
      for (const source of sources) {
        const found = findPair(follow(source), name, follow);
        if (found !== undefined) return found;
      }
    } else if (keyName(follow(pair.key)) === name) {
      return pair;
    }
  }
  return undefined;
}

function keyName(key: YamlNode): string | undefined {
  return isScalar(key) ? keyTextOf(resolveScalar(key)) : undefined;
}
