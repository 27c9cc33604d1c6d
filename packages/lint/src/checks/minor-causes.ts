// Calls that API servers of older minors accept and answer otherwise: with another value, an error, or another cost. Refusals are found by
// compiling as each minor does (server-problems.ts); these are not, because the expression compiles everywhere.

import type { Expr } from "@celadon/cel/ast";
import type { Minor } from "@celadon/kube-cel";

type Call = Extract<Expr, { readonly kind: "call" }>;

/** A reason why an expression has another meaning on some minors. */
export interface MinorCause {
  /** As on the page about lint. */
  readonly expression: string;
  /** The first minor with it; absent where every minor that has the function had it. */
  readonly since?: Minor;
  /** The last minor with it. */
  readonly until: Minor;
  /** The behaviour of those minors. */
  readonly there: string;
  /** Advice: an expression that means the same everywhere. */
  readonly help: string;
  /** Rules of CustomResourceDefinitions do not have it. */
  readonly notInRules?: true;
  /** Whether a call may show it. */
  readonly isShownBy: (call: Call) => boolean;
}

const isMember = (call: Call, name: string): boolean => call.function === name && call.target !== undefined;

const textOf = (expr: Expr | undefined): string | undefined =>
  expr?.kind === "literal" && typeof expr.value === "string" ? expr.value : undefined;

/** `%d`, `%.2f`; `%%` is no verb. */
const verbsIn = (format: string): number =>
  format.match(/%(?:\.\d+)?[a-zA-Z%]/g)?.filter((verb) => verb !== "%%").length ?? 0;

const ROOTS: ReadonlySet<string> = new Set([
  "object",
  "oldObject",
  "params",
  "request",
  "namespaceObject",
  "self",
  "oldSelf",
]);

/** `object.b`, but not `object.?b`, and not a variable, which may be optional. */
function isPlain(expr: Expr | undefined): boolean {
  return expr?.kind === "select" ? isPlain(expr.operand) : expr?.kind === "ident" && ROOTS.has(expr.name);
}

const OPTIONAL_METHODS: ReadonlySet<string> = new Set(["or", "orValue", "hasValue", "value"]);

/** A constant text before the last character of which an offset may lie. */
function isLongerThan(text: string | undefined, offset: Expr | undefined): boolean {
  if (text === undefined) return false;
  if (offset === undefined) return text !== "";
  return offset.kind === "literal" && typeof offset.value !== "string" && Number(offset.value) < text.length;
}

/** Found by the call alone, so that a text that is never empty is reported too. */
export const MINOR_CAUSES: readonly MinorCause[] = [
  {
    expression: "`CIDR.containsCIDR(CIDR)`",
    until: "1.31",
    there: "`containsCIDR` is false unless both CIDRs begin with the same address",
    help: "compare `cidr.containsIP` of the first address and `prefixLength` instead",
    isShownBy: (call) => isMember(call, "containsCIDR"),
  },
  {
    expression: "`TEXT.indexOf(…)`",
    until: "1.31",
    there: "`indexOf` fails for an empty text, and for an offset at its end, instead of giving -1",
    help: "ask for the size first, or use `contains`",
    isShownBy: (call) => isMember(call, "indexOf") && !isLongerThan(textOf(call.target), call.args[1]),
  },
  {
    expression: "`TEXT.lastIndexOf(…)`",
    until: "1.33",
    there: "`lastIndexOf` fails for an empty text instead of giving -1",
    help: "ask for the size first, or use `contains`",
    isShownBy: (call) =>
      isMember(call, "lastIndexOf") && call.args.length === 1 && !isLongerThan(textOf(call.target), undefined),
  },
  {
    expression: "`FORMAT.format([…])`, with a format that is not a literal",
    since: "1.31",
    until: "1.31",
    there: "the compiler of `format` crashes on a format that is not a literal",
    help: "write the format as a literal",
    isShownBy: (call) => isMember(call, "format") && textOf(call.target) === undefined,
  },
  {
    expression: "`'%s %s'.format(['a'])`, with fewer values than placeholders",
    since: "1.30",
    until: "1.30",
    there: "`format` with fewer values than placeholders compiles, and fails when it is evaluated",
    help: "give a value for each placeholder",
    isShownBy: ({ function: name, target, args: [list] }) =>
      name === "format" && list?.kind === "list" && verbsIn(textOf(target) ?? "") > list.elements.length,
  },
  {
    expression: "`'%e'.format([…])`",
    until: "1.32",
    there: "`%e` writes narrow spaces around the sign of multiplication",
    help: "use `%f`, or do not compare the text",
    isShownBy: (call) => isMember(call, "format") && /%(?:\.\d+)?e/.test(textOf(call.target) ?? ""),
  },
  {
    expression: "`VALUE.orValue(…)`, `or`, `hasValue` and `value` of a value that is not optional",
    until: "1.36",
    there: "a value that is not optional counts as an optional that has it; from 1.37 on that is an error",
    help: "write `.?` before the field: `object.?spec.orValue({})`",
    isShownBy: (call) => OPTIONAL_METHODS.has(call.function) && isPlain(call.target),
  },
];

/** Since the costs of library calls count in policies too. */
const COSTS_UNTIL: Minor = "1.31";
/** More cost more than one expression may. */
const FREE_CHECKS = 2;

/** About a whole expression of a policy or webhook. */
export const UNCOUNTED_CHECKS: MinorCause = {
  expression: "three or more `authorizer….check(…)` in one expression of a policy",
  until: COSTS_UNTIL,
  there: "the costs of `check` are not counted; from 1.32 on, three in one expression exceed its limit",
  help: "spread the checks over several expressions or variables",
  notInRules: true,
  isShownBy: () => false,
};

/** Whether so many checks of the authorizer exceed the limit of an expression. */
export const exceedsByChecks = (calls: readonly Call[]): boolean =>
  calls.filter((call) => isMember(call, "check") && call.args.length === 1).length > FREE_CHECKS;
