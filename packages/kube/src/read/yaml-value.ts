// A parsed YAML document → plain data, by the rules of sigs.k8s.io/yaml: scalars resolved as YAML 1.1, merge keys
// written out in the order they stand, keys turned into text, aliases copied within the reference's bounds.

import { decodeBase64, decodeUtf8Bytewise, setOwn } from "@celadon/base";
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from "yaml";
import { ReadFailure } from "./issue.ts";
import type { ReadSettings } from "./options.ts";
import { keyTextOf, scalarValue } from "./yaml-data.ts";
import { resolvePlain, type YamlScalar } from "./yaml-scalar.ts";

/** A node, or nothing where YAML has an empty value. */
export type YamlNode = Node | null;

const TAG_PREFIX = "tag:yaml.org,2002:";

export class YamlConverter {
  private readonly settings: ReadSettings;
  private readonly document: Document.Parsed;
  private targets: Map<Alias, Node> | undefined;
  private readonly open = new Set<Node>();
  private nodes = 0;
  private aliased = 0;
  private aliasDepth = 0;
  private depth = 0;

  constructor(document: Document.Parsed, settings: ReadSettings) {
    this.document = document;
    this.settings = settings;
  }

  /** The whole document. Throws ReadFailure. */
  convert(): unknown {
    return this.value(this.document.contents);
  }

  private value(node: YamlNode): unknown {
    this.count(node);
    if (isAlias(node)) return this.throughAlias(node, (target) => this.value(target));
    if (isMap(node)) return this.nested(node, () => this.members(node.items as Pair<Node, YamlNode>[], {}, new Set()));
    if (isSeq(node)) return this.nested(node, () => node.items.map((item) => this.value(item as YamlNode)));
    return this.scalar(resolveScalar(node as Scalar | null), node);
  }

  private scalar(scalar: YamlScalar, node: YamlNode): unknown {
    const value = scalarValue(scalar, this.settings);
    if (value !== undefined || scalar.kind !== "float") return value;
    const shown = Number.isNaN(scalar.value) ? "NaN" : scalar.value > 0 ? "+Inf" : "-Inf";
    throw new ReadFailure("number_range", `unsupported value: ${shown}`, offsetOf(node));
  }

  private members(
    pairs: readonly Pair<Node, YamlNode>[],
    object: Record<string, unknown>,
    given: Set<string>,
  ): Record<string, unknown> {
    for (const { key, value } of pairs) {
      if (isMergeKey(key)) {
        this.merge(value, object);
        continue;
      }
      const name = this.keyText(key);
      if (given.has(name) && this.settings.duplicates === "error") {
        throw new ReadFailure("duplicate_key", `key ${JSON.stringify(name)} already set in map`, offsetOf(key));
      }
      given.add(name);
      setOwn(object, name, this.value(value));
    }
    return object;
  }

  private merge(node: YamlNode, object: Record<string, unknown>): void {
    const sources = isSeq(node) ? [...node.items].reverse() : [node];
    for (const source of sources) {
      this.count(source as YamlNode);
      const into = (target: YamlNode): void => {
        if (!isMap(target)) {
          const message = "map merge requires map or sequence of maps as the value";
          throw new ReadFailure("merge", message, offsetOf(node));
        }
        this.nested(target, () => this.members(target.items as Pair<Node, YamlNode>[], object, new Set()));
      };
      if (isAlias(source)) this.throughAlias(source, into);
      else into(source as YamlNode);
    }
  }

  private keyText(node: YamlNode): string {
    this.count(node);
    if (isAlias(node)) return this.throughAlias(node, (target) => this.keyText(target));
    if (isMap(node) || isSeq(node)) {
      throw new ReadFailure("map_key", "invalid map key: a map or list cannot be a key", offsetOf(node));
    }
    const scalar = resolveScalar(node as Scalar | null);
    const text = keyTextOf(scalar);
    if (text !== undefined) return text;
    const what = scalar.kind === "int" ? `uint64, key: ${scalar.value}` : "null";
    throw new ReadFailure("map_key", `unsupported map key of type: ${what}`, offsetOf(node));
  }

  private throughAlias<T>(alias: Alias, visit: (target: Node) => T): T {
    this.targets ??= aliasTargets(this.document);
    const target = this.targets.get(alias);
    if (target === undefined) {
      throw new ReadFailure("alias", `unknown anchor '${alias.source}' referenced`, offsetOf(alias));
    }
    if (this.open.has(target)) {
      throw new ReadFailure("alias", `anchor '${alias.source}' value contains itself`, offsetOf(alias));
    }
    this.aliasDepth++;
    const value = visit(target);
    this.aliasDepth--;
    return value;
  }

  private nested<T>(node: Node, visit: () => T): T {
    if (++this.depth > this.settings.limits.depth) {
      const message = `nested more than ${this.settings.limits.depth} levels deep`;
      throw new ReadFailure("too_deep", message, offsetOf(node));
    }
    this.open.add(node);
    const value = visit();
    this.open.delete(node);
    this.depth--;
    return value;
  }

  private count(node: YamlNode): void {
    this.nodes++;
    if (this.aliasDepth > 0) this.aliased++;
    if (this.nodes > this.settings.limits.nodes) {
      const message = `more than ${this.settings.limits.nodes} values in one document`;
      throw new ReadFailure("too_many_nodes", message, offsetOf(node));
    }
    if (this.aliased > 100 && this.nodes > 1000 && this.aliased / this.nodes > allowedAliasRatio(this.nodes)) {
      throw new ReadFailure("alias", "document contains excessive aliasing", offsetOf(node));
    }
  }
}

// The reference's bound: small documents may be almost all aliases, large ones to a tenth.
function allowedAliasRatio(nodes: number): number {
  if (nodes <= 400_000) return 0.99;
  if (nodes >= 4_000_000) return 0.1;
  return 0.99 - 0.89 * ((nodes - 400_000) / 3_600_000);
}

/** The scalar's value by its tag and style. */
export function resolveScalar(node: Scalar | null): YamlScalar {
  if (node === null) return { kind: "null" };
  const text = typeof node.value === "string" ? node.value : (node.source ?? "");
  const tag = node.tag;
  if (tag === undefined) return node.type === "PLAIN" ? resolvePlain(text) : { kind: "str", value: text };
  switch (tag.startsWith(TAG_PREFIX) ? tag.slice(TAG_PREFIX.length) : tag) {
    case "int":
    case "bool":
    case "null":
      return tagged(resolvePlain(text), tag, text, node);
    case "float":
      return asFloat(resolvePlain(text), tag, text, node);
    case "binary":
      return {
        kind: "str",
        value: binaryText(text) ?? fail("!!binary value contains invalid base64 data", node),
      };
    default:
      return { kind: "str", value: text };
  }
}

/** The text whose bytes are written in base64. */
function binaryText(text: string): string | undefined {
  const bytes = decodeBase64(text);
  return typeof bytes === "number" ? undefined : decodeUtf8Bytewise(bytes);
}

function tagged(scalar: YamlScalar, tag: string, text: string, node: Scalar): YamlScalar {
  const wanted = tag.slice(TAG_PREFIX.length);
  return scalar.kind === wanted ? scalar : fail(cannotDecode(scalar.kind, text, wanted), node);
}

function asFloat(scalar: YamlScalar, tag: string, text: string, node: Scalar): YamlScalar {
  if (scalar.kind !== "int") return tagged(scalar, tag, text, node);
  return { kind: "float", value: Number(scalar.value) };
}

function cannotDecode(kind: string, text: string, wanted: string): string {
  return `cannot decode !!${kind} \`${text}\` as a !!${wanted}`;
}

function fail(message: string, node: Node): never {
  throw new ReadFailure("syntax", message, offsetOf(node));
}

export function isMergeKey(key: YamlNode): boolean {
  if (!isScalar(key) || key.value !== "<<") return false;
  return key.type === "PLAIN" ? key.tag === undefined || key.tag === `${TAG_PREFIX}merge` : false;
}

/** What each alias stands for: the last node before it that has the anchor. */
export function aliasTargets(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      return;
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isMap(node)) {
      for (const pair of node.items) {
        visit(pair.key);
        visit(pair.value);
      }
    } else if (isSeq(node)) node.items.forEach(visit);
  };
  visit(document.contents);
  return targets;
}

export function offsetOf(node: YamlNode): number {
  return node?.range?.[0] ?? 0;
}
