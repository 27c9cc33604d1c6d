// A YAML document as it is written: anchors resolved, nothing decided about what scalars mean.

import type { ScalarStyle } from "../scalar-style.ts";

export type YamlNode = ScalarNode | MapNode | ListNode | AliasNode;

export interface ScalarNode {
  readonly kind: "scalar";
  readonly start: number;
  readonly end: number;
  readonly style: ScalarStyle;
  readonly text: string;
  /** Empty without a tag. */
  readonly tag: string;
  /** Its text decides its type: plain scalars, and those with the tag `!`. */
  readonly isImplicit: boolean;
}

export interface MapNode {
  readonly kind: "map";
  readonly start: number;
  /** Keys and values in turn. */
  readonly children: YamlNode[];
}

export interface ListNode {
  readonly kind: "list";
  readonly start: number;
  readonly children: YamlNode[];
}

export interface AliasNode {
  readonly kind: "alias";
  readonly start: number;
  readonly name: string;
  readonly target: YamlNode;
}

/** The node an alias stands for, or the node itself. */
export function followAlias(node: YamlNode): YamlNode {
  return node.kind === "alias" ? followAlias(node.target) : node;
}

export function isMergeKey(node: YamlNode): boolean {
  return node.kind === "scalar" && node.text === "<<" && (node.isImplicit || node.tag === "tag:yaml.org,2002:merge");
}
