// The call a cursor is in: its overloads, and which argument is under way.

import { cursorAt } from "../cursor/expression-at.ts";
import { FUNCTION_NOTES } from "../describe/function-notes.ts";
import type { File } from "../document/file.ts";
import { functionTable, mayBe, signatureOf } from "../expression/functions.ts";
import { localViews } from "../expression/locals.ts";
import { ExpressionText } from "../expression/written.ts";
import { writtenTypes } from "../expression/written-types.ts";
import type { Known } from "../known.ts";

/** A way a function can be called. */
export interface Signature {
  readonly label: string;
  /** The ranges of the arguments in the label. */
  readonly parameters: readonly (readonly [start: number, end: number])[];
  readonly documentation?: string;
}

/** The ways to call the function at the cursor. */
export interface SignatureHelp {
  readonly signatures: readonly Signature[];
  readonly active: number;
  readonly argument: number;
}

const MACRO_CALLS: Readonly<Record<string, string>> = {
  has: "has(operand.field)",
  all: "all(x, condition)",
  exists: "exists(x, condition)",
  exists_one: "exists_one(x, condition)",
  map: "map(x, value)",
  filter: "filter(x, condition)",
  bind: "bind(name, value, expression)",
  optMap: "optMap(x, value)",
  optFlatMap: "optFlatMap(x, optional)",
};

export function signatureAt(workspace: Known, file: File, offset: number): SignatureHelp | undefined {
  const { expression } = cursorAt(file, offset);
  const site = expression && workspace.sites.at(expression.object, expression.path);
  if (expression === undefined || site === undefined) return undefined;
  const written = new ExpressionText(expression.scalar.text);
  const call = written.open(expression.offset).findLast(({ sign, name }) => sign === "(" && name !== "");
  if (call === undefined) return undefined;
  const argument = call.args.length - 1;
  const { name, receiver } = call;
  const view = localViews(site.views, written, call.args[0]!)[0]!;
  const { global, members } = functionTable(view.env);
  const operand = receiver && written.text.slice(receiver.start, receiver.end);
  const note = FUNCTION_NOTES.get(
    operand !== undefined && global.has(`${operand}.${name}`) ? `${operand}.${name}` : name,
  );
  if (Object.hasOwn(MACRO_CALLS, name) && (name === "has") === (receiver === undefined)) {
    return { signatures: [signature(MACRO_CALLS[name]!, note)], active: 0, argument };
  }
  const qualified = global.get(operand === undefined ? name : `${operand}.${name}`);
  const types = operand === undefined || qualified !== undefined ? [] : writtenTypes(operand, view.env);
  const rows =
    qualified ??
    (members.get(name) ?? []).filter(({ args }) => types.length === 0 || types.some((type) => mayBe(type, args[0]!)));
  if (rows.length === 0) return undefined;
  const signatures = rows.map((row) => signature(signatureOf(row), note));
  const fits = signatures.findIndex(({ parameters }) => parameters.length > argument);
  return { signatures, active: Math.max(0, fits), argument };
}

function signature(label: string, note: string | undefined): Signature {
  const arrow = label.indexOf(" ->");
  const call = arrow === -1 ? label : label.slice(0, arrow);
  const open = openingOf(call);
  const parameters: (readonly [number, number])[] = [];
  let depth = 0;
  let from = open + 1;
  for (let i = open + 1; i < call.length; i++) {
    if (call[i] === "(") depth++;
    if ((call[i] === "," && depth === 0) || i === call.length - 1) {
      const start = from + (/^\s*/.exec(call.slice(from))?.[0].length ?? 0);
      if (i > start) parameters.push([start, i]);
      from = i + 1;
    }
    if (call[i] === ")") depth--;
  }
  return { label, parameters, ...(note !== undefined && { documentation: note }) };
}

/** The bracket of the call itself: types in front of the dot may have brackets of their own. */
function openingOf(call: string): number {
  let depth = 0;
  for (let i = call.length - 1; i >= 0; i--) {
    if (call[i] === ")") depth++;
    else if (call[i] === "(" && --depth === 0) return i;
  }
  return call.length;
}
