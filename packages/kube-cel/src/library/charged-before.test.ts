// Every function of every library whose price follows from its arguments is charged before it is called, and not called when the budget
// does not cover it. The functions are read from the environments, so a new one is tested too.

import {
  celError,
  createEnv,
  DYN,
  type Env,
  listOf,
  type Mode,
  mapOf,
  type Overload,
  STRING,
  type Type,
} from "@celadon/cel";
import * as lib from "@celadon/cel/lib";
import { expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";

const plain = createEnv({
  libraries: [
    lib.bindingsLibrary(),
    lib.encodersLibrary,
    lib.listsLibrary(),
    lib.mathLibrary(),
    lib.networkLibrary,
    lib.optionalLibrary(),
    lib.regexLibrary,
    lib.setsLibrary,
    lib.stringsLibrary(),
    lib.twoVariableLibrary,
  ],
}) as Env;

const rowsOf = (env: Env): readonly Overload[] => [...env.declarations.functions.values()].flat();
const rows = [...rowsOf(plain), ...rowsOf(kubeEnv() as Env)].filter((row) => row.call !== undefined);
const isChargedBefore = ({ cost }: Overload): boolean => cost.fixed !== undefined || cost.fromArguments === true;

test("prices that follow from the result", () => {
  const after = rows.filter((row) => !isChargedBefore(row)).map(({ id }) => id);
  // cel-go charges these by the size of their result, which is no larger than their input.
  expect([...new Set(after)].sort()).toEqual([
    "cidr_ip",
    "cidr_masked",
    "cidr_to_string",
    "ip_to_string",
    "list_join",
    "list_join_string",
    "list_reverse",
    "list_slice",
    "lists_range",
  ]);
});

const TEXT = "1".repeat(5000);
const LIST = Array.from({ length: 500 }, (_, i) => `text-${i}`);

const ELEMENTS: ReadonlyMap<Type["kind"], readonly unknown[]> = new Map<Type["kind"], readonly unknown[]>([
  ["string", LIST],
  ["dyn", LIST],
  ["param", LIST],
  ["int", LIST.map((_, i) => i)],
  ["bool", LIST.map(() => true)],
  ["list", LIST.map((text) => [text])],
]);

/** A large value; undefined for a type whose values only functions make. */
function largeValue(type: Type): unknown {
  switch (type.kind) {
    case "string":
      return TEXT;
    case "bytes":
      return new Uint8Array(5000);
    case "int":
      return 3;
    case "bool":
      return true;
    case "map":
      return Object.fromEntries(LIST.map((key) => [key, key]));
    case "list":
      return ELEMENTS.get(type.params[0]?.kind ?? "dyn");
    case "dyn":
    case "param":
      return LIST;
    default:
      return undefined;
  }
}

function withoutParams(type: Type): Type {
  if (type.kind === "list") return listOf(withoutParams(type.params[0] as Type));
  if (type.kind === "map") return mapOf(STRING, DYN);
  return type.kind === "param" ? DYN : type;
}

/** Charges of one are added up and compared with the limit later: each pays for little work. */
const counted = rows.filter(
  ({ cost, name, operator, args }) =>
    cost.fixed === undefined &&
    cost.fromArguments === true &&
    !operator &&
    !name.startsWith("@") &&
    args.every((type) => largeValue(type) !== undefined),
);

test.each<Mode>(["interpreted", "compiled"])("no call is made that cannot be paid for, %s", (mode) => {
  expect(counted.length).toBeGreaterThan(60);
  for (const row of counted) {
    let calls = 0;
    const call = (): unknown => {
      calls++;
      return celError("invalid_argument", "called");
    };
    const { specialize, ...general } = row;
    const names = row.args.map((_, i) => "abcd"[i] as string);
    const env = createEnv({
      libraries: [{ name: "counted", overloads: [{ ...general, call }] }],
      variables: Object.fromEntries(row.args.map((type, i) => [names[i], withoutParams(type)])),
      standard: false,
    });
    const [receiver, ...rest] = names;
    const expr = row.member ? `${receiver}.${row.name}(${rest.join(", ")})` : `${row.name}(${names.join(", ")})`;
    const program = (env as Env).program(expr, { mode });
    const variables = Object.fromEntries(row.args.map((type, i) => [names[i], largeValue(type)]));
    const { cost, error } = program.evaluate(variables);
    expect(error?.message, row.id).toBe("called");
    expect(calls, row.id).toBeGreaterThan(0);
    calls = 0;
    const outcome = program.evaluate(variables, { costLimit: cost - 1 });
    expect({ id: row.id, code: outcome.error?.code, cost: outcome.cost, calls }).toEqual({
      id: row.id,
      code: "cost_limit",
      cost,
      calls: 0,
    });
  }
});
