// Where a field stands in YAML text, found in the parsed document: through aliases and merge keys to the place it is
// written at.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { FieldPlace, Locate, ScalarStyle } from "./scalar-style.ts";
import { keyTextOf } from "./yaml-data.ts";
import { aliasTargets, isMergeKey, offsetOf, resolveScalar, type YamlNode } from "./yaml-value.ts";

const STYLES: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: "plain",
  QUOTE_SINGLE: "single",
  QUOTE_DOUBLE: "double",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
};

/** Finds fields of a document that was parsed from the text at the offset. */
export function locateYaml(document: Document.Parsed, base: number): Locate {
  const targets = aliasTargets(document);
  const follow = (node: YamlNode): YamlNode => (isAlias(node) ? follow(targets.get(node) ?? null) : node);
  return (path) => {
    let node: YamlNode = document.contents;
    let key: YamlNode = null;
    for (const step of path) {
      const container = follow(node);
      if (typeof step === "number") {
        if (!isSeq(container) || step >= container.items.length) return undefined;
        node = container.items[step] as YamlNode;
        key = null;
      } else {
        const pair = findPair(container, step, follow);
        if (pair === undefined) return undefined;
        node = pair.value;
        key = pair.key;
      }
    }
    return {
      key: key === null ? undefined : base + offsetOf(key),
      value: base + offsetOf(node ?? key),
      scalar: scalarOf(follow(node), base),
    };
  };
}

function scalarOf(node: YamlNode, base: number): FieldPlace["scalar"] {
  if (!isScalar(node) || node.range == null || node.type === undefined) return undefined;
  const style = STYLES[node.type];
  return style === undefined ? undefined : { start: base + node.range[0], end: base + node.range[1], style };
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
