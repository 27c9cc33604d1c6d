// Finds the meaning of the word under a cursor, in expressions and in the fields that name other resources.

import { type JsonPath, memberOf, valueAt } from "@celadon/base";
import type { Type } from "@celadon/cel";
import { gvkOf, nameOf } from "@celadon/kube";
import { cursorAt } from "../cursor/expression-at.ts";
import type { File, PlacedResource } from "../document/file.ts";
import { localAt, localNames } from "../expression/bindings.ts";
import { localViews } from "../expression/locals.ts";
import { ExpressionText } from "../expression/written.ts";
import { writtenTypes } from "../expression/written-types.ts";
import type { Known } from "../known.ts";
import { touches } from "../text/range.ts";

export type Referent =
  /** A policy by its name: kind without `Binding`. */
  | { readonly is: "policy"; readonly kind: string; readonly name: string }
  /** An object that bindings name as params. */
  | { readonly is: "params"; readonly kind: string; readonly name: string }
  | { readonly is: "variable"; readonly placed: PlacedResource; readonly name: string }
  | {
      readonly is: "local";
      readonly placed: PlacedResource;
      readonly path: JsonPath;
      readonly declared: number;
      readonly name: string;
    }
  /** A kind that a definition of the workspace has. */
  | { readonly is: "kind"; readonly group: string; readonly kind: string }
  /** A field, by the type that has it. */
  | {
      readonly is: "field";
      readonly placed: PlacedResource;
      readonly path: JsonPath;
      readonly holder: Type;
      readonly name: string;
    };

export function symbolAt(workspace: Known, file: File, offset: number): Referent | undefined {
  const placed = resourceAt(file, offset);
  if (placed === undefined) return undefined;
  const { expression } = cursorAt(file, offset);
  if (expression !== undefined)
    return expressionSymbol(workspace, placed, expression.path, expression.scalar.text, expression.offset);
  return fieldSymbol(workspace, placed, offset);
}

export function resourceAt(file: File, offset: number): PlacedResource | undefined {
  const { part, start } = file.partAt(offset);
  // The innermost, where a suite holds others: the one with the longest path that starts before.
  const found = part.resources
    .filter(({ document, prefix }) => (document.positionOf(prefix)?.offset ?? 0) <= offset - start)
    .sort((a, b) => b.prefix.length - a.prefix.length || last(b, start) - last(a, start));
  const resource = found[0];
  return resource && { uri: file.uri, resource, start };
}

const last = ({ document, prefix }: PlacedResource["resource"], start: number): number =>
  (document.positionOf(prefix)?.offset ?? 0) + start;

function expressionSymbol(
  workspace: Known,
  placed: PlacedResource,
  path: JsonPath,
  text: string,
  offset: number,
): Referent | undefined {
  const written = new ExpressionText(text);
  const at = written.tokenAt(offset);
  const token = written.tokens[at];
  if (token?.is !== "name") return undefined;
  const name = written.textOf(token);
  const isOptional = written.is(at - 1, "?") && written.is(at - 2, ".");
  const dot = isOptional ? at - 2 : at - 1;
  if (!written.is(dot, ".") || dot === 0) {
    const local = localAt(written, localNames(written), at);
    if (local !== undefined) return { is: "local", placed, path, declared: local.declared, name };
    if (name === "params") return paramKind(placed);
    return undefined;
  }
  if (written.is(at + 1, "(")) return undefined;
  if (
    dot === 1
      ? written.textOf(written.tokens[0]) === "variables"
      : written.textOf(written.tokens[dot - 1]) === "variables" && !written.is(dot - 2, ".")
  ) {
    return { is: "variable", placed, name };
  }
  const site = workspace.sites.at(placed.resource.object, path);
  if (site === undefined) return undefined;
  const operand = text.slice(written.tokens[written.operandStart(dot - 1)]!.start, written.tokens[dot - 1]!.end);
  for (const view of localViews(site.views, written, token.start)) {
    for (const type of writtenTypes(operand, view.env)) {
      const holder = type.name === "optional_type" ? (type.params[0] ?? type) : type;
      if (holder.kind === "struct") return { is: "field", placed, path, holder, name };
    }
  }
  return undefined;
}

function paramKind({ resource }: PlacedResource): Referent | undefined {
  const kind = valueAt(resource.object, ["spec", "paramKind"]);
  if (typeof kind !== "object" || kind === null) return undefined;
  const gvk = gvkOf(kind);
  return { is: "kind", group: gvk.group, kind: gvk.kind };
}

function fieldSymbol(workspace: Known, placed: PlacedResource, offset: number): Referent | undefined {
  const { resource, start } = placed;
  const { object, part } = resource;
  const { group, kind } = gvkOf(object);
  const isAt = (path: JsonPath): boolean => {
    const range = part.rangeOf(resource, path);
    return range !== undefined && touches(range, offset - start);
  };
  const isPolicy = group === "admissionregistration.k8s.io" && /AdmissionPolicy(Binding)?$/.test(kind);
  if (isAt(["metadata", "name"])) {
    if (isPolicy && !kind.endsWith("Binding")) return { is: "policy", kind, name: nameOf(object) };
    if (group === "apiextensions.k8s.io") return definedKind(object);
    return { is: "params", kind, name: nameOf(object) };
  }
  if (isPolicy && isAt(["spec", "policyName"])) {
    return { is: "policy", kind: kind.replace(/Binding$/, ""), name: String(valueAt(object, ["spec", "policyName"])) };
  }
  if (isPolicy && isAt(["spec", "paramRef", "name"])) {
    const policy = valueAt(object, ["spec", "policyName"]);
    const found = workspace.simulated
      .manifests()
      .find((manifest) => manifest.object.kind === kind.replace(/Binding$/, "") && nameOf(manifest.object) === policy);
    const of = valueAt(found?.object, ["spec", "paramKind", "kind"]);
    return { is: "params", kind: String(of ?? ""), name: String(valueAt(object, ["spec", "paramRef", "name"])) };
  }
  if (isPolicy && (isAt(["spec", "paramKind", "kind"]) || isAt(["spec", "paramKind", "apiVersion"])))
    return paramKind(placed);
  const variables = memberOf(object.spec, "variables");
  for (const [i, value] of (Array.isArray(variables) ? variables : []).entries()) {
    if (isAt(["spec", "variables", i, "name"]))
      return { is: "variable", placed, name: String(memberOf(value, "name")) };
  }
  if (isAt(["kind"])) return { is: "kind", group, kind };
  return undefined;
}

function definedKind(object: unknown): Referent {
  return {
    is: "kind",
    group: String(valueAt(object, ["spec", "group"]) ?? ""),
    kind: String(valueAt(object, ["spec", "names", "kind"]) ?? ""),
  };
}
