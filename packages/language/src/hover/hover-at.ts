// Describes the word under a cursor: type, documentation, cost; in the YAML around expressions, the purpose of a field.

import { formatType, type Type } from "@celadon/cel";
import type { Schema } from "@celadon/kube/schemas";
import { unescapeName } from "@celadon/kube-cel/schema";
import { cursorAt, type ExpressionAt } from "../cursor/expression-at.ts";
import { FUNCTION_NOTES } from "../describe/function-notes.ts";
import { functionText } from "../describe/function-text.ts";
import { schemaAtPath, schemaOfObject } from "../describe/resource-schema.ts";
import { schemaText } from "../describe/schema-text.ts";
import type { File } from "../document/file.ts";
import { functionTable } from "../expression/functions.ts";
import { localViews } from "../expression/locals.ts";
import type { Site } from "../expression/sites.ts";
import { fieldSchema, type View } from "../expression/view.ts";
import { ExpressionText } from "../expression/written.ts";
import { writtenTypes } from "../expression/written-types.ts";
import type { Known } from "../known.ts";
import { shifted, type TextRange } from "../text/range.ts";
import { expressionCost, ruleCost, ruleCostText } from "./expression-cost.ts";

/** The description of the thing at the cursor. */
export interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly range: TextRange;
}

export function hoverAt(workspace: Known, file: File, offset: number): Hover | undefined {
  const found = cursorAt(file, offset);
  if (found.expression !== undefined) return expressionHover(workspace, found.expression);
  const { cursor, object, start } = found;
  if (cursor === undefined || object === undefined || workspace.options.yamlKeys === false) return undefined;
  const name = file.text.slice(start + cursor.range.start, start + cursor.range.end).replace(/^["']|["']$/g, "");
  const path = cursor.at === "key" ? [...cursor.path, name] : cursor.path;
  const schema = schemaAtPath(schemaOfObject(object, workspace.schemas), path);
  if (schema === undefined || cursor.at !== "key") return undefined;
  const about = schemaText(schema);
  const text = `\`${path.filter((step) => typeof step === "string").join(".")}\`: ${schema.type ?? "any"}${about === undefined ? "" : `\n\n${about}`}`;
  return { text, range: shifted(cursor.range, start) };
}

function expressionHover(workspace: Known, { object, path, scalar, offset }: ExpressionAt): Hover | undefined {
  const site = workspace.sites.at(object, path);
  if (site === undefined) return undefined;
  const written = new ExpressionText(scalar.text);
  const at = written.tokenAt(offset);
  const token = written.tokens[at];
  if (token === undefined || token.is === "comment") return undefined;
  const range = { start: scalar.toSource(token.start), end: scalar.toSource(token.end) };
  if (token.is !== "name") {
    const estimated = ruleCost(workspace.simulated, object, path);
    const cost = estimated === undefined ? expressionCost(site, scalar.text) : ruleCostText(estimated);
    return cost === undefined ? undefined : { text: cost, range };
  }
  const text = nameText(site, written, at);
  return text === undefined ? undefined : { text, range };
}

function nameText(site: Site, written: ExpressionText, at: number): string | undefined {
  const token = written.tokens[at]!;
  const name = written.textOf(token);
  const isCall = written.is(at + 1, "(");
  const isOptional = written.is(at - 1, "?") && written.is(at - 2, ".");
  const dot = isOptional ? at - 2 : at - 1;
  const isMember = written.is(dot, ".") && dot > 0;
  const views = localViews(site.views, written, token.start);
  const struct = written.structAt(token.start);
  if (struct !== undefined && written.is(at + 1, ":")) return structFieldText(views, struct, name);
  const first = isMember ? written.operandStart(dot - 1) : at;
  const operand = isMember ? written.text.slice(written.tokens[first]!.start, written.tokens[dot - 1]!.end) : "";
  if (isCall) {
    const text = callText(site, views[0]!.env, name, operand);
    if (text !== undefined) return text;
  }
  const whole = written.text.slice(written.tokens[first]!.start, token.end);
  const types = new Map<string, string[]>();
  let about: string | undefined;
  for (const view of views) {
    const found = writtenTypes(whole, view.env);
    for (const type of found) {
      const shown = shownType(type);
      types.set(shown, [...(types.get(shown) ?? []), ...(view.kind ? [view.kind.kind] : [])]);
    }
    for (const holder of operand === "" ? [] : writtenTypes(operand, view.env)) {
      const held = holder.name === "optional_type" ? (holder.params[0] ?? holder) : holder;
      const schema = fieldSchema(view, held, name);
      about ??= schema && schemaText(schema);
    }
  }
  if (types.size === 0) return undefined;
  const several = types.size > 1;
  const lines = [...types].map(
    ([type, kinds]) =>
      `${whole}: ${type}${several && kinds.length > 0 ? `  // ${[...new Set(kinds)].join(", ")}` : ""}`,
  );
  return [`\`\`\`cel\n${lines.join("\n")}\n\`\`\``, about, NAME_NOTES[operand === "" ? name : ""]]
    .filter((part) => part !== undefined)
    .join("\n\n");
}

/** A field that an expression sets: `replicas` in `Object.spec{replicas: 1}`. */
function structFieldText(views: ReturnType<typeof localViews>, struct: string, name: string): string | undefined {
  for (const view of views) {
    const type = view.env.declarations.provider.findStruct(struct)?.field(name)?.type;
    if (type === undefined) continue;
    const schema = builtSchema(view, [...struct.split(".").slice(1), name]);
    const about = schema && schemaText(schema);
    const shown = SCHEMA_TYPES[schema?.type ?? ""] ?? shownType(type);
    return [`\`\`\`cel\n${struct}.${name}: ${shown}\n\`\`\``, about].filter((part) => part !== undefined).join("\n\n");
  }
  return undefined;
}

/** A built object is checked when it is applied: its own types are all dyn. */
const SCHEMA_TYPES: Readonly<Record<string, string>> = {
  string: "string",
  integer: "int",
  number: "double",
  boolean: "bool",
  array: "list",
  object: "object",
};

/** Types of constructed objects are named by their fields alone, lists skipped. */
function builtSchema(view: View, [field = "", ...rest]: readonly string[]): Schema | undefined {
  const [object] = writtenTypes("object", view.env);
  let schema = object && fieldSchema(view, object, field);
  for (const step of rest) {
    const holder: Schema | undefined = schema?.items ?? schema;
    schema = holder?.properties?.get(step) ?? holder?.properties?.get(unescapeName(step) ?? step);
  }
  return schema;
}

// biome-ignore format: one name per line
const NAME_NOTES: Readonly<Record<string, string>> = {
  object:          "The object of the request; null on DELETE.",
  oldObject:       "The existing object; null on CREATE.",
  request:         "The admission request: user, operation, resource and options.",
  params:          "The params that the binding refers to; null if it refers to none.",
  namespaceObject: "The namespace of the object; null for cluster-scoped objects.",
  variables:       "Named expressions of the policy, each evaluated when it is first used.",
  authorizer:      "Checks permissions of the user or of a service account.",
  self:            "The value at the rule's place in the schema.",
  oldSelf:         "The existing value. A rule that uses it is evaluated on updates only.",
  cr:              "The certificate request.",
};

function callText(
  _: Site,
  env: Parameters<typeof functionTable>[0],
  name: string,
  operand: string,
): string | undefined {
  const { global, members, macros } = functionTable(env);
  const qualified = global.get(operand === "" ? name : `${operand}.${name}`);
  if (qualified !== undefined) return functionText(qualified);
  const macro = macros.find((item) => item.name === name && item.receiver === (operand !== ""));
  if (macro !== undefined) {
    const note = FUNCTION_NOTES.get(name);
    return `\`\`\`cel\n${operand === "" ? "" : "…."}${name}(…)\n\`\`\`\n\nA macro.${note === undefined ? "" : ` ${note}`}`;
  }
  const rows = operand === "" ? undefined : members.get(name);
  if (rows === undefined) return undefined;
  const fitting = writtenTypes(operand, env).flatMap((type) => rows.filter(({ args }) => args[0]?.kind === type.kind));
  return functionText(fitting.length > 0 ? fitting : rows);
}

/** Objects of schemas have no name that people know. */
function shownType(type: Type): string {
  if (type.kind === "struct" && /Type(\.|$)/.test(type.name)) return "object";
  if (type.kind === "list" || type.kind === "map" || type.kind === "opaque") {
    return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(shownType).join(", ")})`;
  }
  return formatType(type);
}
