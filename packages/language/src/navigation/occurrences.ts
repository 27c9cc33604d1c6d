// All places that mean a symbol: where it is defined, and where it is used.

import { type JsonPath, memberOf, valueAt } from "@celadon/base";
import { gvkOf, nameOf } from "@celadon/kube";
import type { PlacedResource } from "../document/file.ts";
import { localNames, localUses } from "../expression/bindings.ts";
import { expressionsOfResource } from "../expression/expressions-of.ts";
import { ExpressionText } from "../expression/written.ts";
import type { Known } from "../known.ts";
import { type Location, shifted } from "../text/range.ts";
import type { Referent } from "./symbol-at.ts";

/** A place where a name stands. */
export interface Occurrence extends Location {
  readonly isDefinition: boolean;
}

export function occurrencesOf(workspace: Known, symbol: Referent): Occurrence[] {
  switch (symbol.is) {
    case "policy":
      return [...workspace.placed().values()].flatMap((placed) => {
        const { kind } = gvkOf(placed.resource.object);
        if (kind === symbol.kind && nameOf(placed.resource.object) === symbol.name)
          return valueAtPath(placed, ["metadata", "name"], true);
        const isBinding =
          kind === `${symbol.kind}Binding` && valueAt(placed.resource.object, ["spec", "policyName"]) === symbol.name;
        return isBinding ? valueAtPath(placed, ["spec", "policyName"], false) : [];
      });
    case "params":
      return paramOccurrences(workspace, symbol);
    case "variable":
      return variableOccurrences(symbol);
    case "local":
      return localOccurrences(symbol);
    case "kind":
      return kindOccurrences(workspace, symbol);
    case "field":
      return fieldDefinitions(workspace, symbol);
  }
}

function valueAtPath({ uri, resource, start }: PlacedResource, path: JsonPath, isDefinition: boolean): Occurrence[] {
  const range = resource.part.rangeOf(resource, path);
  return range === undefined ? [] : [{ uri, range: shifted(range, start), isDefinition }];
}

function paramOccurrences(workspace: Known, { kind, name }: Referent & { is: "params" }): Occurrence[] {
  const all = [...workspace.placed().values()];
  const policies = new Set(
    all.flatMap(({ resource: { object } }) =>
      valueAt(object, ["spec", "paramKind", "kind"]) === kind ? [nameOf(object)] : [],
    ),
  );
  return all.flatMap((placed) => {
    const { object } = placed.resource;
    if (object.kind === kind && nameOf(object) === name) return valueAtPath(placed, ["metadata", "name"], true);
    const isUse =
      valueAt(object, ["spec", "paramRef", "name"]) === name &&
      policies.has(String(valueAt(object, ["spec", "policyName"])));
    return isUse ? valueAtPath(placed, ["spec", "paramRef", "name"], false) : [];
  });
}

function variableOccurrences({ placed, name }: Referent & { is: "variable" }): Occurrence[] {
  const { uri, resource } = placed;
  const variables = memberOf(resource.object.spec, "variables");
  const defined = (Array.isArray(variables) ? variables : []).flatMap((value, i) =>
    memberOf(value, "name") === name ? valueAtPath(placed, ["spec", "variables", i, "name"], true) : [],
  );
  const used = expressionsOfResource(placed).flatMap(({ scalar }) => {
    const written = new ExpressionText(scalar.text);
    return written.tokens.flatMap((token, i): Occurrence[] => {
      const dot = written.is(i - 1, "?") ? i - 2 : i - 1;
      const isVariable =
        token.is === "name" &&
        written.textOf(token) === name &&
        written.is(dot, ".") &&
        written.textOf(written.tokens[dot - 1]) === "variables" &&
        !written.is(dot - 2, ".");
      if (!isVariable) return [];
      return [
        { uri, range: { start: scalar.toSource(token.start), end: scalar.toSource(token.end) }, isDefinition: false },
      ];
    });
  });
  return [...defined, ...used];
}

function localOccurrences({ placed, path, declared }: Referent & { is: "local" }): Occurrence[] {
  const key = JSON.stringify(path);
  const found = expressionsOfResource(placed).find((expression) => JSON.stringify(expression.path) === key);
  if (found === undefined) return [];
  const written = new ExpressionText(found.scalar.text);
  const names = localNames(written);
  const local = names.find((name) => name.declared === declared);
  if (local === undefined) return [];
  return localUses(written, names, local).map((i) => {
    const { start, end } = written.tokens[i]!;
    const range = { start: found.scalar.toSource(start), end: found.scalar.toSource(end) };
    return { uri: placed.uri, range, isDefinition: i === declared };
  });
}

function kindOccurrences(workspace: Known, { group, kind }: Referent & { is: "kind" }): Occurrence[] {
  return [...workspace.placed().values()].flatMap((placed) => {
    const { object } = placed.resource;
    const own = gvkOf(object);
    if (
      own.group === "apiextensions.k8s.io" &&
      valueAt(object, ["spec", "group"]) === group &&
      valueAt(object, ["spec", "names", "kind"]) === kind
    ) {
      return valueAtPath(placed, ["spec", "names", "kind"], true);
    }
    const params = valueAt(object, ["spec", "paramKind"]);
    const isParams =
      typeof params === "object" && params !== null && gvkOf(params).kind === kind && gvkOf(params).group === group;
    return [
      ...(own.kind === kind && own.group === group ? valueAtPath(placed, ["kind"], false) : []),
      ...(isParams ? valueAtPath(placed, ["spec", "paramKind", "kind"], false) : []),
    ];
  });
}

/** The places at which definitions of the workspace declare the field; built-in kinds have no file. */
function fieldDefinitions(workspace: Known, { placed, path, holder, name }: Referent & { is: "field" }): Occurrence[] {
  const [root = "", ...steps] = holder.name.split(".");
  const inside = steps.flatMap((step) =>
    step === "@idx" ? ["items"] : step === "@elem" ? ["additionalProperties"] : ["properties", step],
  );
  if (root === "selfType") {
    const node = path.slice(0, path.lastIndexOf("x-kubernetes-validations"));
    return keyAtPath(placed, [...node, ...inside, "properties", name]);
  }
  const kind = root.replace(/(?:Params)?Type$/, "");
  return [...workspace.placed().values()].flatMap((resource) => {
    const { object } = resource.resource;
    if (gvkOf(object).group !== "apiextensions.k8s.io" || valueAt(object, ["spec", "names", "kind"]) !== kind)
      return [];
    const versions = memberOf(object.spec, "versions");
    return (Array.isArray(versions) ? versions : []).flatMap((_, i) =>
      keyAtPath(resource, ["spec", "versions", i, "schema", "openAPIV3Schema", ...inside, "properties", name]),
    );
  });
}

function keyAtPath({ uri, resource, start }: PlacedResource, path: JsonPath): Occurrence[] {
  const range = resource.part.rangeOf(resource, path, "key");
  return range === undefined ? [] : [{ uri, range: shifted(range, start), isDefinition: true }];
}
