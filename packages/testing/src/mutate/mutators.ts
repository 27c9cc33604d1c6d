// All mutators by name, for documentation: what each does, and in what.

import { BINDING_MUTATORS, MESSAGE_MUTATORS, POLICY_MUTATORS, WEBHOOK_MUTATORS } from "./admission-mutators.ts";
import { EXPRESSION_MUTATORS } from "./expression-mutators.ts";
import { CERTIFICATE_MUTATORS, SCHEMA_MUTATORS } from "./other-mutators.ts";

export interface MutatorRow {
  readonly name: string;
  readonly about: string;
  readonly applies: string;
}

const table = (applies: string, rows: readonly Omit<MutatorRow, "applies">[]): readonly MutatorRow[] => [
  ...new Map(rows.map(({ name, about }) => [name, { name, about, applies }])).values(),
];

export const MUTATORS: readonly MutatorRow[] = [
  ...table("expressions", EXPRESSION_MUTATORS),
  ...table("policies", [...POLICY_MUTATORS, ...MESSAGE_MUTATORS]),
  ...table("bindings", BINDING_MUTATORS),
  ...table("webhook configurations", WEBHOOK_MUTATORS),
  ...table("definitions", SCHEMA_MUTATORS),
  ...table("certificate policies", CERTIFICATE_MUTATORS),
];
