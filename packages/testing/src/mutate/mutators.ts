// All mutators by name, for documentation: the effect and the place of each.

import {
  BINDING_MUTATORS,
  MESSAGE_MUTATORS,
  MUTATING_POLICY_MUTATORS,
  POLICY_MUTATORS,
  WEBHOOK_MUTATORS,
} from "./admission-mutators.ts";
import { EXPRESSION_MUTATORS } from "./expression-mutators.ts";
import { CERTIFICATE_MUTATORS, SCHEMA_MUTATORS } from "./other-mutators.ts";

/** A kind of change: its name and its effect. */
export interface MutatorRow {
  readonly name: string;
  readonly about: string;
  readonly applies: string;
}

const table = (applies: string, rows: readonly Omit<MutatorRow, "applies">[]): readonly MutatorRow[] => [
  ...new Map(rows.map(({ name, about }) => [name, { name, about, applies }])).values(),
];

/** Every kind of change, for documentation. */
export const MUTATORS: readonly MutatorRow[] = [
  ...table("expressions", EXPRESSION_MUTATORS),
  ...table("policies", [...POLICY_MUTATORS, ...MESSAGE_MUTATORS]),
  ...table("mutating policies", MUTATING_POLICY_MUTATORS),
  ...table("bindings", BINDING_MUTATORS),
  ...table("webhook configurations", WEBHOOK_MUTATORS),
  ...table("definitions", SCHEMA_MUTATORS),
  ...table("certificate policies", CERTIFICATE_MUTATORS),
];
