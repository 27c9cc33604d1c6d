// Macros by their result type: what each needs around it and inside.

import { BOOL, formatType, INT, isOptionalType, type Type } from "../value/type.ts";
import { isRange, oneVariable, twoVariables } from "./random-types.testing.ts";

/** Families of macros beyond the standard ones. */
export interface MacroFamilies {
  readonly optional: boolean;
  readonly twoVariables: boolean;
  readonly bind: boolean;
  readonly math: boolean;
  readonly sortBy: boolean;
}

/** `over` outside; `parts` with the names of `locals` in scope. */
export interface MacroForm {
  readonly over: Type;
  readonly locals: readonly Type[];
  readonly parts: readonly Type[];
  write(over: string, names: readonly string[], parts: readonly string[]): string;
}

export function macroForms(wanted: Type, types: readonly Type[], families: MacroFamilies): MacroForm[] {
  const ranges = types.filter(isRange);
  const forms: MacroForm[] = families.bind ? types.map((over) => bindForm(over, wanted)) : [];
  if (wanted.kind === "bool") forms.push(...ranges.flatMap((range) => quantifiers(range, families)));
  if (wanted.kind === "list") forms.push(...lists(wanted, ranges, families));
  if (wanted.kind === "map" && families.twoVariables) forms.push(...ranges.flatMap((range) => maps(wanted, range)));
  if (isOptionalType(wanted) && families.optional)
    forms.push(...types.filter(isOptionalType).flatMap((over) => optionals(wanted, over)));
  return forms;
}

const bindForm = (over: Type, wanted: Type): MacroForm => ({
  over,
  locals: [over],
  parts: [wanted],
  write: (init, [name], [body]) => `cel.bind(${name}, ${init}, ${body})`,
});

/** `range.macro(names, parts)`. */
function form(name: string, over: Type, locals: readonly Type[], parts: readonly Type[]): MacroForm {
  return {
    over,
    locals,
    parts,
    write: (range, names, inner) => `${range}.${name}(${[...names, ...inner].join(", ")})`,
  };
}

function quantifiers(range: Type, families: MacroFamilies): MacroForm[] {
  const forms = ["all", "exists", "exists_one"].map((name) => form(name, range, oneVariable(range), [BOOL]));
  if (families.twoVariables)
    forms.push(...["all", "exists", "existsOne"].map((name) => form(name, range, twoVariables(range), [BOOL])));
  return forms;
}

function lists(wanted: Type, ranges: readonly Type[], families: MacroFamilies): MacroForm[] {
  const element = wanted.params[0]!;
  const forms = [form("filter", wanted, [element], [BOOL])];
  if (families.sortBy) forms.push(form("sortBy", wanted, [element], [INT]));
  for (const range of ranges) {
    forms.push(
      form("map", range, oneVariable(range), [element]),
      form("map", range, oneVariable(range), [BOOL, element]),
    );
    if (!families.twoVariables) continue;
    forms.push(
      form("transformList", range, twoVariables(range), [element]),
      form("transformList", range, twoVariables(range), [BOOL, element]),
    );
  }
  return forms;
}

function maps(wanted: Type, range: Type): MacroForm[] {
  const [key, value] = wanted.params as [Type, Type];
  const locals = twoVariables(range);
  const forms: MacroForm[] = [
    {
      over: range,
      locals,
      parts: [key, value],
      write: (over, names, [k, v]) => `${over}.transformMapEntry(${names.join(", ")}, {${k}: ${v}})`,
    },
  ];
  if (formatType(locals[0]) !== formatType(key)) return forms;
  return [...forms, form("transformMap", range, locals, [value]), form("transformMap", range, locals, [BOOL, value])];
}

function optionals(wanted: Type, over: Type): MacroForm[] {
  const inner = over.params[0]!;
  return [form("optMap", over, [inner], [wanted.params[0]!]), form("optFlatMap", over, [inner], [wanted])];
}
