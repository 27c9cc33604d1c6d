// One expression about a pod, rewritten to be about the pod template of a workload. Works on the tree: every part has a meaning — the pod,
// its metadata, or anything else — and only reading fields of the first two changes. A use other than reading a field or comparing with
// null cannot be kept and is refused: a policy is rewritten exactly or not at all. Recursion is safe: a compiled expression is nested no
// deeper than the parser allows.

import { type Call, callNode as call, type Expr, literalNode as literal, withChildren } from "@celadon/cel/ast";
import { namesOfMacro } from "./macro-scopes.ts";
import type { SkipCode } from "./outcome.ts";
import { METADATA_FIELDS, POD_TYPE, REQUEST_TYPES } from "./pod-fields.ts";
import { type Form, has, isOptional, read, readAll, readingOf } from "./written-tree.ts";

/**
 * Texts for people name the object at hand: its own kind is shown, unless it is compared with something. A message that fails
 * is only not shown, so messages may also read metadata a workload may not have; an annotation that fails denies.
 */
export type Role = "decision" | "annotation" | "message";

export interface Rewriting {
  /** The fields that lead from a workload to the template. */
  readonly template: readonly string[];
  /** Macro calls as they were written, by the id of their expansion. */
  readonly macroCalls: ReadonlyMap<number, Expr>;
  /** Variables whose value is the pod. */
  readonly podVariables: ReadonlySet<string>;
  readonly role: Role;
  /** The objects that may be null for an operation that the policy matches. */
  readonly nullable: { readonly object: boolean; readonly oldObject: boolean };
  refuse(at: Expr, code: SkipCode, message: string): void;
  /** Called for every name that is now the workload's. */
  ownName(at: Expr): void;
}

type Meaning =
  | { readonly is: "plain"; readonly expr: Expr }
  /** A pod or null. In the rewritten tree it is the workload or null. */
  | { readonly is: "pod"; readonly expr: Expr }
  /** `pod.metadata`, with how it was read. */
  | { readonly is: "metadata"; readonly expr: Expr; readonly pod: Expr; readonly form: Form }
  /** `request`, `variables`, `authorizer`. */
  | { readonly is: "root"; readonly expr: Expr; readonly name: string }
  /** The value of `request.kind` and similar fields for a pod. */
  | { readonly is: "type"; readonly expr: Expr; readonly values: ReadonlyMap<string, string> };

/** Names that loops hide. */
type Scope = ReadonlySet<string>;

type ReadOf = NonNullable<ReturnType<typeof readingOf>>;

const PODS: ReadonlySet<string> = new Set(["object", "oldObject"]);
const ROOTS: ReadonlySet<string> = new Set(["request", "variables", "authorizer"]);
const NOTHING_HIDDEN: Scope = new Set();

/** The tree as it is to be written, and whether its value is the pod. */
export function rewriteTree(root: Expr, rewriting: Rewriting): { readonly expr: Expr; readonly isPod: boolean } {
  const rewriter = new TreeRewriter(rewriting);
  const found = rewriter.rewrite(root, NOTHING_HIDDEN);
  return found.is === "pod"
    ? { expr: found.expr, isPod: true }
    : { expr: rewriter.expectPlain(root, found), isPod: false };
}

class TreeRewriter {
  readonly #with: Rewriting;

  constructor(rewriting: Rewriting) {
    this.#with = rewriting;
  }

  /** `compared`: the value is an operand of `==`, `!=` or `in`. */
  rewrite(expr: Expr, hidden: Scope, compared = false): Meaning {
    const macro = expr.kind === "select" ? undefined : this.#with.macroCalls.get(expr.id);
    if (macro?.kind === "call") return { is: "plain", expr: this.#macro(macro, expr, hidden) };
    const reading = readingOf(expr);
    if (reading !== undefined) {
      const operand = this.rewrite(reading.operand, hidden);
      return this.#read(expr, reading, operand, compared);
    }
    switch (expr.kind) {
      case "ident":
        return identMeaning(expr, expr.name, hidden);
      case "call":
        return this.#call(expr, hidden);
      default:
        return { is: "plain", expr: this.#children(expr, hidden) };
    }
  }

  expectPlain(at: Expr, found: Meaning): Expr {
    const refuse = this.#with.refuse;
    if (found.is === "pod") refuse(at, "whole_object", "the whole pod is used here, but a workload is not a pod");
    if (found.is === "metadata")
      refuse(at, "whole_object", "the pod's metadata is used as a whole, but parts of it are the workload's");
    if (found.is === "type")
      refuse(at, "request_resource", "the request's resource is used as a whole, but it is no longer a pod");
    return found.expr;
  }

  #plain(expr: Expr, hidden: Scope, compared = false): Expr {
    return this.expectPlain(expr, this.rewrite(expr, hidden, compared));
  }

  #read(at: Expr, reading: ReadOf, operand: Meaning, compared: boolean): Meaning {
    switch (operand.is) {
      case "pod":
        return this.#readPod(at, reading, operand.expr, compared);
      case "metadata":
        return { is: "plain", expr: this.#readMetadata(at, reading, operand) };
      case "type":
        return { is: "plain", expr: this.#readType(at, reading, operand, compared) };
      case "root":
        return this.#readRoot(at, reading, operand);
      case "plain": {
        const { form, field, test } = reading;
        return { is: "plain", expr: test ? has(operand.expr, field) : read(form, operand.expr, field) };
      }
    }
  }

  #readPod(at: Expr, { form, field, test }: ReadOf, pod: Expr, compared: boolean): Meaning {
    const { template, refuse, role } = this.#with;
    const unchanged: Meaning = { is: "plain", expr: test ? has(pod, field) : read(form, pod, field) };
    if (field === "spec") {
      const inner = readAll(form, pod, template);
      if (!test) return { is: "plain", expr: read(form, inner, field) };
      // has() of null is false, and reading a field of it an error
      return { is: "plain", expr: call("_&&_", has(pod, template[0]!), has(inner, field)) };
    }
    if (field === "metadata") return test ? unchanged : { ...unchanged, is: "metadata", pod, form };
    const type = POD_TYPE.get(field);
    if (type !== undefined) {
      if (test || (role !== "decision" && !compared)) return unchanged;
      if (!isOptional(form)) return { is: "plain", expr: this.#typeOf(pod, type, unchanged.expr) };
      refuse(at, "no_counterpart", `the pod's ${field} as an optional value has no counterpart`);
      return unchanged;
    }
    if (field === "status") refuse(at, "no_counterpart", "a pod template has no status");
    else refuse(at, "unknown_field", `pods have no field "${field}"`);
    return unchanged;
  }

  // Reading a field of null is an error, and has to stay one.
  #typeOf(pod: Expr, type: string, unchanged: Expr): Expr {
    const { nullable } = this.#with;
    const name = pod.kind === "ident" ? pod.name.replace(/^\./, "") : "";
    const mayBeNull = name === "object" ? nullable.object : name === "oldObject" ? nullable.oldObject : true;
    return mayBeNull ? call("_?_:_", call("_!=_", pod, literal(null)), literal(type), unchanged) : literal(type);
  }

  #readMetadata(at: Expr, { form, field, test }: ReadOf, found: Meaning & { is: "metadata" }): Expr {
    const { template, refuse, role } = this.#with;
    const unchanged = test ? has(found.expr, field) : read(form, found.expr, field);
    const decision = METADATA_FIELDS.get(field);
    if (decision === "template") {
      const inner = readAll(found.form, found.pod, template);
      if (!test) return read(form, read(isOptional(form) ? form : found.form, inner, "metadata"), field);
      // pods have metadata and templates may have none: asking for its fields must not fail there
      const present = has(read(found.form, inner, "metadata"), field);
      return isOptional(found.form) ? present : call("_&&_", has(inner, "metadata"), present);
    }
    if (decision === undefined) {
      refuse(at, "unknown_field", `metadata has no field "${field}"`);
    } else if (decision !== "own" && role !== "message") {
      refuse(at, "no_counterpart", `metadata.${field} has no counterpart: ${decision.why}`);
    } else if (field === "name") {
      this.#with.ownName(at);
    }
    return unchanged;
  }

  #readType(at: Expr, { form, field, test }: ReadOf, found: Meaning & { is: "type" }, compared: boolean): Expr {
    const value = found.values.get(field);
    if (value !== undefined && form === "select" && !test) {
      return this.#with.role !== "decision" && !compared ? read(form, found.expr, field) : literal(value);
    }
    this.#with.refuse(at, "request_resource", "the request's resource is used in a way that cannot be rewritten");
    return found.expr;
  }

  #readRoot(at: Expr, { form, field, test }: ReadOf, { expr: root, name }: Meaning & { is: "root" }): Meaning {
    const { podVariables, refuse, ownName } = this.#with;
    if (test) return { is: "plain", expr: has(root, field) };
    const expr = read(form, root, field);
    switch (name) {
      case "variables":
        if (!podVariables.has(field)) break;
        if (isOptional(form)) refuse(at, "whole_object", "the whole pod is used here as an optional value");
        return { is: "pod", expr };
      case "request": {
        const values = REQUEST_TYPES.get(field);
        if (values !== undefined) return { is: "type", expr, values };
        if (field === "name") ownName(at);
        break;
      }
      case "authorizer":
        if (field !== "requestResource") break;
        refuse(at, "request_resource", "permissions on the request's resource are checked, but it is no longer pods");
    }
    return { is: "plain", expr };
  }

  #call(expr: Call, hidden: Scope): Meaning {
    const { args } = expr;
    switch (expr.target === undefined ? expr.function : "") {
      case "dyn": {
        const found = args.map((arg) => this.rewrite(arg, hidden));
        if (found[0]?.is === "pod") return { is: "pod", expr: { ...expr, args: [found[0].expr] } };
        return { is: "plain", expr: { ...expr, args: found.map((meaning, i) => this.expectPlain(args[i]!, meaning)) } };
      }
      case "_?_:_":
        return this.#ternary(expr, hidden);
      case "_==_":
      case "_!=_":
        return { is: "plain", expr: this.#comparison(expr, hidden) };
      case "@in":
        return { is: "plain", expr: { ...expr, args: args.map((arg) => this.#plain(arg, hidden, true)) } };
      case "_[_]":
      case "_[?_]":
        return { is: "plain", expr: this.#computedIndex(expr, hidden) };
    }
    return { is: "plain", expr: this.#children(expr, hidden) };
  }

  /** A choice between pods, or of one or null, is a pod again. */
  #ternary(expr: Call, hidden: Scope): Meaning {
    const [condition, ...branches] = expr.args as [Expr, Expr, Expr];
    const test = this.#plain(condition, hidden);
    const found = branches.map((branch) => this.rewrite(branch, hidden));
    const arePods =
      found.every((meaning) => meaning.is === "pod" || isNull(meaning.expr)) &&
      found.some((meaning) => meaning.is === "pod");
    const exprs = found.map((meaning, i) => (arePods ? meaning.expr : this.expectPlain(branches[i]!, meaning)));
    return { is: arePods ? "pod" : "plain", expr: { ...expr, args: [test, ...exprs] } };
  }

  /** There is a pod exactly when there is a workload, so asking for null is the same question. */
  #comparison(expr: Call, hidden: Scope): Expr {
    const found = expr.args.map((arg) => this.rewrite(arg, hidden, true));
    const withNull = expr.args.some(isNull);
    const args = found.map((meaning, i) =>
      withNull && meaning.is === "pod" ? meaning.expr : this.expectPlain(expr.args[i]!, meaning),
    );
    return { ...expr, args };
  }

  #computedIndex(expr: Call, hidden: Scope): Expr {
    const [operand, index] = expr.args as [Expr, Expr];
    const found = this.rewrite(operand, hidden);
    const isOfPod = found.is === "pod" || found.is === "metadata";
    if (isOfPod)
      this.#with.refuse(expr, "computed_field", "the pod's field that is read here is only known at run time");
    return { ...expr, args: [isOfPod ? found.expr : this.expectPlain(operand, found), this.#plain(index, hidden)] };
  }

  #macro(macro: Call, at: Expr, hidden: Scope): Expr {
    const names = namesOfMacro(macro.function, macro.args.length);
    if (names === undefined) {
      this.#with.refuse(at, "whole_object", `the macro ${macro.function} is not supported`);
      return at;
    }
    const inner = new Set(hidden);
    for (const arg of macro.args.slice(0, names)) if (arg.kind === "ident") inner.add(arg.name);
    return {
      ...macro,
      target: macro.target && this.#plain(macro.target, hidden),
      args: macro.args.map((arg, i) => (i < names ? arg : this.#plain(arg, inner))),
    };
  }

  #children(expr: Expr, hidden: Scope): Expr {
    return withChildren(expr, (child) => this.#plain(child, hidden));
  }
}

/** A leading dot means the variable, even inside a loop that declares the name. */
function identMeaning(expr: Expr, written: string, hidden: Scope): Meaning {
  const isAbsolute = written.startsWith(".");
  if (!isAbsolute && hidden.has(written)) return { is: "plain", expr };
  const name = isAbsolute ? written.slice(1) : written;
  if (PODS.has(name)) return { is: "pod", expr };
  return ROOTS.has(name) ? { is: "root", expr, name } : { is: "plain", expr };
}

const isNull = (expr: Expr): boolean => expr.kind === "literal" && expr.value === null;
