// The environments the suites were recorded in, and the one they are evaluated in.

import {
  BOOL,
  BYTES,
  bindingsLibrary,
  blockLibrary,
  blockVariables,
  createEnv,
  DEFAULT_PARSE_LIMITS,
  DOUBLE,
  type Env,
  EXISTS_ONE_ALIAS,
  encodersLibrary,
  enumLibrary,
  fixed,
  fn,
  INT,
  type Library,
  listsLibrary,
  mathLibrary,
  method,
  NULL,
  networkLibrary,
  numericComparisons,
  optionalLibrary,
  type Parsed,
  parse,
  protoProvider,
  protosLibrary,
  regexLibrary,
  type Source,
  STANDARD_MACROS,
  STRING,
  setsLibrary,
  standardFormatLiterals,
  stringsLibrary,
  twoVariableLibrary,
  UINT,
} from "./engine.ts";
import { registry } from "./registry.ts";
import type { Case } from "./suite.ts";
import { declared } from "./types.ts";

/** The reference's parser alone: standard macros, no optional syntax, little nesting, few attempts to recover. */
export function parseAlone(source: Source): Parsed {
  return parse(source, {
    macros: [...STANDARD_MACROS, EXISTS_ONE_ALIAS],
    limits: { ...DEFAULT_PARSE_LIMITS, recursion: 32, recoveries: 4 },
    optionalSyntax: false,
    backtickIdentifiers: false,
  });
}

const recordedLibraries: readonly Library[] = [
  optionalLibrary(),
  bindingsLibrary(),
  encodersLibrary,
  mathLibrary(),
  protosLibrary,
  stringsLibrary(),
  blockLibrary,
];

/** The variables for `cel.index(n)`. */
const indices = Object.fromEntries(blockVariables());

/** The environment that the recorded types and references come from. */
const recorded: Env = createEnv({
  libraries: recordedLibraries,
  quotedFields: true,
  validators: [standardFormatLiterals],
  provider: protoProvider(registry),
  variables: { ...indices, is: STRING, ii: INT, iu: UINT, iz: BOOL, ib: BYTES, id: DOUBLE, ix: NULL },
  functions: [fn("fg_s", "fg_s_0", [], STRING, fixed(1)), method("fi_s_s", "fi_s_s_0", [STRING], STRING, fixed(1))],
});

/** Everything at once. */
const libraries: readonly Library[] = [
  ...recordedLibraries,
  numericComparisons,
  twoVariableLibrary,
  listsLibrary(),
  networkLibrary,
  regexLibrary,
  setsLibrary,
];
export type Semantics = "specification" | "reference";

const evaluation = (semantics: Semantics): Env =>
  createEnv({ semantics, libraries, variables: indices, quotedFields: true, provider: protoProvider(registry) });
const complete: Readonly<Record<Semantics, Env>> = {
  specification: evaluation("specification"),
  reference: evaluation("reference"),
};

/** The same with enums as types of their own, which some sections are about. */
const strong: Env = createEnv({
  libraries: [...libraries, enumLibrary(registry)],
  variables: indices,
  quotedFields: true,
  provider: protoProvider(registry, { enums: "strong" }),
});

export const hasStrongEnums = ({ path }: Case): boolean => path.startsWith("conformance/enums/strong_");

export const recordedFor = (testCase: Case): Env => within(recorded, testCase);
export const completeFor = (testCase: Case, semantics: Semantics): Env =>
  within(hasStrongEnums(testCase) ? strong : complete[semantics], testCase);

function within(env: Env, { test: { original } }: Case): Env {
  if (original.typeEnv.length === 0 && original.container === "" && !original.disableMacros) return env;
  return env.extend({ ...declared(original.typeEnv), container: original.container, macros: !original.disableMacros });
}
