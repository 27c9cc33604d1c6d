// Finds a field in YAML text, in the parsed document: through aliases and merge keys to the place it is written at.

import type { FieldPlace, Locate } from "../scalar-style.ts";
import { keyTextOf } from "./yaml-data.ts";
import { followAlias, isMergeKey, type MapNode, type YamlNode } from "./yaml-node.ts";
import { resolveScalar } from "./yaml-resolve.ts";

/** Finds fields of a document that was parsed from the text at the offset. No node lies beyond `last`. */
export function locateYaml(root: YamlNode, base: number, last: number): Locate {
  const maps = new Map<MapNode, ReadonlyMap<string, Member>>();
  return (path) => {
    let node = root;
    let key: YamlNode | undefined;
    for (const step of path) {
      const container = followAlias(node);
      if (typeof step === "number") {
        const item = container.kind === "list" ? container.children[step] : undefined;
        if (item === undefined) return undefined;
        node = item;
        key = undefined;
      } else {
        const member = container.kind === "map" ? membersOf(container).get(step) : undefined;
        if (member === undefined) return undefined;
        ({ key, value: node } = member);
      }
    }
    return {
      key: key === undefined ? undefined : base + key.start,
      value: Math.min(base + node.start, last),
      scalar: rangeOf(followAlias(node), base, last),
    };
  };

  function membersOf(map: MapNode): ReadonlyMap<string, Member> {
    let members = maps.get(map);
    if (members === undefined) maps.set(map, (members = collect(map, new Map())));
    return members;
  }
}

interface Member {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

function rangeOf(node: YamlNode, base: number, last: number): FieldPlace["scalar"] {
  if (node.kind !== "scalar") return undefined;
  return { start: Math.min(base + node.start, last), end: Math.min(base + node.end, last), style: node.style };
}

/** The last one in the order they stand counts, merged or not. */
function collect(map: MapNode, members: Map<string, Member>): Map<string, Member> {
  for (let i = 0; i < map.children.length; i += 2) {
    const key = map.children[i]!;
    const value = map.children[i + 1]!;
    if (isMergeKey(key)) {
      const sources = followAlias(value);
      for (const source of sources.kind === "list" ? sources.children.toReversed() : [sources]) {
        const merged = followAlias(source);
        if (merged.kind === "map") collect(merged, members);
      }
    } else {
      const name = nameOf(followAlias(key));
      if (name !== undefined) members.set(name, { key, value });
    }
  }
  return members;
}

function nameOf(key: YamlNode): string | undefined {
  return key.kind === "scalar" ? keyTextOf(resolveScalar(key)) : undefined;
}
