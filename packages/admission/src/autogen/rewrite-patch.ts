// Patches of a mutation that changes pods, rewritten to change the pod template of a workload: `Object{spec: …}` names the template's spec,
// and a path of a JSON patch starts at the template. A patch that is not a literal cannot be followed and is refused.

import { type Expr, literalNode as literal, withChildren } from "@celadon/cel/ast";
import type { SkipCode } from "./outcome.ts";

export interface PatchRewriting {
  /** The fields that lead from a workload to the template. */
  readonly template: readonly string[];
  refuse(at: Expr, code: SkipCode, message: string): void;
}

type Struct = Extract<Expr, { kind: "struct" }>;
type Field = Struct["fields"][number];

/** The fields of metadata that a template shares with a pod. */
const TEMPLATE_METADATA: ReadonlySet<string> = new Set(["labels", "annotations"]);

/** The tree has been rewritten otherwise: it reads the template where it read the pod. */
export function rewritePatches(root: Expr, rewriting: PatchRewriting): Expr {
  const rewrite = (expr: Expr): Expr => {
    const inner = withChildren(expr, rewrite);
    if (inner.kind !== "struct") return inner;
    if (inner.type === "Object") return objectAt(inner, rewriting);
    if (inner.type.startsWith("Object.")) return { ...inner, type: typeAt(inner.type, rewriting.template) };
    return inner.type === "JSONPatch" ? operationAt(inner, rewriting) : inner;
  };
  return rewrite(root);
}

/** `Object.spec.containers` → `Object.spec.template.spec.containers` */
const typeAt = (name: string, template: readonly string[]): string =>
  ["Object", ...template, name.slice("Object.".length)].join(".");

/** `Object{spec: x}` → `Object{spec: Object.spec{template: Object.spec.template{spec: x}}}` */
function objectAt(object: Struct, { template, refuse }: PatchRewriting): Struct {
  for (const field of object.fields) {
    if (field.name === "metadata") metadataFields(field, refuse);
    else if (field.name !== "spec") refuse(object, "no_counterpart", `a pod template has no ${field.name}`);
  }
  if (object.fields.length === 0) return object;
  return template.reduceRight<Struct>(
    (inner, name, depth) => {
      const type = ["Object", ...template.slice(0, depth)].join(".");
      const [field] = object.fields as [Field];
      return { ...object, type, fields: [{ ...field, name, value: inner, optional: false }] };
    },
    { ...object, type: ["Object", ...template].join(".") },
  );
}

function metadataFields({ value }: Field, refuse: PatchRewriting["refuse"]): void {
  if (value.kind !== "struct") {
    refuse(value, "computed_field", "the metadata field that is written is only known at run time");
    return;
  }
  for (const { name } of value.fields) {
    if (!TEMPLATE_METADATA.has(name))
      refuse(value, "no_counterpart", `metadata.${name} of a pod template does not become the pod's`);
  }
}

function operationAt(operation: Struct, rewriting: PatchRewriting): Struct {
  return {
    ...operation,
    fields: operation.fields.map((field) =>
      field.name === "path" || field.name === "from" ? { ...field, value: pathAt(field.value, rewriting) } : field,
    ),
  };
}

const POINTER = /^\/(?:spec|metadata\/(?:labels|annotations))(?=\/|$)/;

/** The path, or the text that a path starts with. */
function pathAt(expr: Expr, rewriting: PatchRewriting): Expr {
  if (expr.kind === "call" && expr.function === "_+_" && expr.target === undefined) {
    const [left, ...rest] = expr.args as [Expr, ...Expr[]];
    return { ...expr, args: [pathAt(left, rewriting), ...rest] };
  }
  if (expr.kind === "literal" && typeof expr.value === "string" && POINTER.test(expr.value)) {
    return literal(`/${rewriting.template.join("/")}${expr.value}`);
  }
  rewriting.refuse(expr, "computed_field", "the pod's field that is changed is only known at run time");
  return expr;
}
