// A parsed YAML document → plain data, by the rules of sigs.k8s.io/yaml: scalars resolved as YAML 1.1, merge keys written out in the
// order they stand, keys turned into text, aliases written out within bounds.

import { quoteGo, setOwn } from "@celadon/base";
import { ReadFailure } from "../issue.ts";
import type { ReadSettings } from "../options.ts";
import { keyTextOf, scalarValue } from "./yaml-data.ts";
import { type AliasNode, followAlias, isMergeKey, type MapNode, type ScalarNode, type YamlNode } from "./yaml-node.ts";
import { resolveScalar } from "./yaml-resolve.ts";
import type { YamlScalar } from "./yaml-scalar.ts";
import { isBooleanWord, LONGEST_LIST, type YamlWarning } from "./yaml-warning.ts";

/** A key that its map has before. */
export interface RepeatedKey {
  /** The value as Go prints it, with texts in quotes. */
  readonly shown: string;
  /** One of the two comes from a merge: only strict decoding minds. */
  readonly isMerged: boolean;
  /** The offset of the value, and the value itself. */
  readonly at: number;
  readonly valueAt: number;
}

/** A member for a key that JSON cannot hold, until the document is checked. */
const UNSUPPORTED_KEY = "\0unsupported";
/** Units of text that aliases may write out in any document, however small the limit on its size. */
const LEAST_EXPANSION = 64 * 1024;

export class YamlConverter {
  /** In the order they stand. */
  readonly repeated: RepeatedKey[] = [];
  readonly warnings: YamlWarning[] = [];
  private readonly settings: ReadSettings;
  private readonly open = new Set<YamlNode>();
  /** Values that JSON cannot hold. One that a later member replaces is no error. */
  private readonly unsupported = new Map<object, ReadFailure>();
  private nodes = 1;
  private aliased = 0;
  private aliasDepth = 0;
  private expanded = 0;
  private depth = 0;

  constructor(settings: ReadSettings) {
    this.settings = settings;
  }

  /** The whole document. Throws ReadFailure. */
  convert(root: YamlNode): unknown {
    const value = this.value(root);
    if (this.unsupported.size > 0) this.checkSupported(value);
    return value;
  }

  private value(node: YamlNode): unknown {
    this.count(node);
    switch (node.kind) {
      case "alias":
        return this.throughAlias(node, (target) => this.value(target));
      case "map":
        return this.nested(node, () => this.members(node, {}));
      case "list":
        return this.nested(node, () => node.children.map((item) => this.value(item)));
      case "scalar":
        return this.scalar(resolveScalar(node), node);
    }
  }

  private scalar(scalar: YamlScalar, node: ScalarNode): unknown {
    const value = scalarValue(scalar, this.settings);
    if (value !== undefined || scalar.kind !== "float") return value;
    const shown = Number.isNaN(scalar.value) ? "NaN" : scalar.value > 0 ? "+Inf" : "-Inf";
    return this.postpone(new ReadFailure("number_range", `unsupported value: ${shown}`, node.start));
  }

  /** Marks a part that makes the document unusable if it is still part of it in the end. */
  private postpone(failure: ReadFailure): object {
    const mark = {};
    this.unsupported.set(mark, failure);
    return mark;
  }

  private checkSupported(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const failure = this.unsupported.get(value);
    if (failure !== undefined) throw failure;
    for (const member of Object.values(value)) this.checkSupported(member);
  }

  private members(map: MapNode, object: Record<string, unknown>): Record<string, unknown> {
    const own = this.settings.duplicates === "last" ? undefined : new Set<string>();
    for (let i = 0; i < map.children.length; i += 2) {
      const key = map.children[i]!;
      const member = map.children[i + 1]!;
      if (isMergeKey(key)) {
        this.merge(member, object);
        continue;
      }
      const name = this.keyText(key, map);
      const value = this.value(member);
      if (name instanceof ReadFailure) object[UNSUPPORTED_KEY] = this.postpone(name);
      else {
        if (own !== undefined && Object.hasOwn(object, name)) this.repeat(key, member, !own.has(name));
        own?.add(name);
        setOwn(object, name, value);
      }
    }
    return object;
  }

  private repeat(key: YamlNode, { start: valueAt }: YamlNode, isMerged: boolean): void {
    if (this.repeated.length >= LONGEST_LIST) return;
    const scalar = resolveScalar(followAlias(key) as ScalarNode);
    const shown = scalar.kind === "str" ? quoteGo(scalar.value) : (keyTextOf(scalar) ?? "");
    if (this.settings.duplicates === "error" && !isMerged) {
      throw new ReadFailure("duplicate_key", `key ${shown} already set in map`, key.start);
    }
    this.repeated.push({ shown, isMerged, at: key.start, valueAt });
  }

  private merge(node: YamlNode, object: Record<string, unknown>): void {
    const sources = node.kind === "list" ? node.children.toReversed() : [node];
    for (const source of sources) {
      const map = source.kind === "alias" ? source.target : source;
      if (map.kind !== "map") {
        throw new ReadFailure("merge", "map merge requires map or sequence of maps as the value", node.start);
      }
      this.count(source);
      const into = (): unknown => this.nested(map, () => this.members(map, object));
      if (source.kind !== "alias") into();
      else {
        this.throughAlias(source, () => {
          this.count(map);
          return into();
        });
      }
    }
  }

  /** The failure of a key that YAML has and JSON cannot hold. */
  private keyText(node: YamlNode, map: MapNode): string | ReadFailure {
    const target = followAlias(node);
    if (target.kind !== "scalar") {
      const isTemplate = node.kind === "map" && node.start === map.start + 1;
      const message = isTemplate
        ? "{{ }} is a template action, not YAML"
        : "invalid map key: a map or list cannot be a key";
      throw new ReadFailure("map_key", message, isTemplate ? map.start : node.start);
    }
    this.count(node);
    if (node.kind === "alias") this.throughAlias(node, () => this.count(target));
    const scalar = resolveScalar(target);
    const text = keyTextOf(scalar);
    if (scalar.kind === "bool" && isBooleanWord(target.text) && this.warnings.length < LONGEST_LIST) {
      const message = `YAML reads the key ${target.text} as the boolean ${text}: write "${target.text}"`;
      this.warnings.push({ code: "map_key", message, at: node.start });
    }
    if (text !== undefined) return text;
    const what = scalar.kind === "int" ? `uint64, key: ${scalar.value}` : "null";
    return new ReadFailure("map_key", `unsupported map key of type: ${what}`, node.start);
  }

  private throughAlias<T>(alias: AliasNode, visit: (target: YamlNode) => T): T {
    if (this.open.has(alias.target)) {
      throw new ReadFailure("alias", `anchor '${alias.name}' value contains itself`, alias.start);
    }
    this.aliasDepth++;
    const value = visit(alias.target);
    this.aliasDepth--;
    return value;
  }

  private nested<T>(node: YamlNode, visit: () => T): T {
    const { depth } = this.settings.limits;
    if (++this.depth > depth) throw new ReadFailure("too_deep", `nested more than ${depth} levels deep`, node.start);
    this.open.add(node);
    const value = visit();
    this.open.delete(node);
    this.depth--;
    return value;
  }

  private count(node: YamlNode): void {
    const { nodes, bytes } = this.settings.limits;
    if (++this.nodes > nodes) {
      throw new ReadFailure("too_many_nodes", `more than ${nodes} values in one document`, node.start);
    }
    if (this.aliasDepth === 0) return;
    this.aliased++;
    if (this.aliased > 100 && this.nodes > 1000 && this.aliased / this.nodes > allowedAliasRatio(this.nodes)) {
      throw new ReadFailure("alias", "document contains excessive aliasing", node.start);
    }
    // The reference counts values only. A long text is one of them, and a megabyte each time that it is written out.
    if (node.kind === "scalar") this.expanded += node.text.length;
    if (this.expanded > Math.max(bytes, LEAST_EXPANSION)) {
      throw new ReadFailure("alias", `aliases write out more than ${bytes} bytes of text`, node.start);
    }
  }
}

// The reference's bound: small documents may be almost all aliases, large ones to a tenth.
function allowedAliasRatio(nodes: number): number {
  if (nodes <= 400_000) return 0.99;
  if (nodes >= 4_000_000) return 0.1;
  return 0.99 - 0.89 * ((nodes - 400_000) / 3_600_000);
}
