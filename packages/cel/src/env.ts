// An environment: the names, types and functions an expression may use. Immutable; `extend` makes a larger one.

import { displayIssues } from "./ast/display.ts";
import type { Ast } from "./ast/expr.ts";
import type { Issue } from "./ast/issue.ts";
import type { Source } from "./ast/source.ts";
import { hostFunction } from "./call/host-function.ts";
import { check } from "./check/check.ts";
import type { Checked, Declarations } from "./check/checked.ts";
import { expectType } from "./check/expected.ts";
import { type Validator, validate } from "./check/validators.ts";
import type { Range } from "./cost/formula.ts";
import { type EstimateOptions, estimateCost } from "./estimate/estimate.ts";
import { type Library, type Overload, overloadsIn } from "./lib/library.ts";
import { asSpecified } from "./lib/specification.ts";
import { standardLibrary } from "./lib/standard.ts";
import type { LanguageOptions } from "./parse/language.ts";
import { largeLiterals } from "./parse/literal-size.ts";
import type { Macro } from "./parse/macro.ts";
import { STANDARD_MACROS } from "./parse/macros.ts";
import { DEFAULT_PARSE_LIMITS, type Parsed, type ParseOptions, parse } from "./parse/parse.ts";
import { plan } from "./plan/plan.ts";
import { type Mode, Program } from "./run/program.ts";
import { conversionTo } from "./run/result.ts";
import { composeProviders } from "./types/compose-provider.ts";
import { createNamedProvider } from "./types/named-provider.ts";
import type { Constant, TypeProvider } from "./types/provider.ts";
import { hasChange, NEWEST_RELEASE, type Release } from "./value/release.ts";
import { formatType, type Type } from "./value/type.ts";

/** Variables, libraries, types and limits of an environment. */
export interface EnvOptions<V extends VariableTypes = VariableTypes> {
  /** Variables and their types; `DYN` for anything. */
  readonly variables?: V;
  /** Function libraries beyond the standard one, from `@celadon/cel/lib`. */
  readonly libraries?: readonly Library[];
  /** Single functions of the host's own, made with `fn` and `method`. */
  readonly functions?: readonly Overload[];
  /** The source of struct types and enums. */
  readonly provider?: TypeProvider;
  /** The namespace that names are resolved in. */
  readonly container?: string;
  /** Short names for qualified ones. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** False for an environment without the standard functions and macros. */
  readonly standard?: boolean;
  /** False to leave macro calls as plain calls. */
  readonly macros?: boolean;
  /** Checks on the checked tree, beyond types. */
  readonly validators?: readonly Validator[];
  readonly limits?: Partial<Limits>;
  /** The cost of `has(a.b)` itself: 1 as in cel-go, 0 as in Kubernetes. */
  readonly presenceTestCost?: 0 | 1;
  /** False if values of libraries do not state the price of `==`; it then depends on their sizes. */
  readonly statedPrices?: boolean;
  /** Estimates of a host's own functions, which take precedence over those of the libraries. */
  readonly callEstimates?: EstimateOptions["overrides"];
  /** A constant that can never be converted or compiled is an issue, not an evaluation error. */
  readonly strictConstants?: boolean;
  /** ``a.`b-c` ``: field names that are not identifiers. On since cel-go 0.29. */
  readonly quotedFields?: boolean;
  /** The release of cel-go with this language, costs and messages, by its minor version; the newest when absent. */
  readonly release?: Release;
  readonly mode?: Mode;
  /**
   * The authority where cel-go and the specification's test suite differ: the reference implementation (the default, which Kubernetes
   * uses) or the specification. They differ in few places: see lib/specification.ts.
   */
  readonly semantics?: "reference" | "specification";
}

/** Variables by name, with their types. */
export type VariableTypes = Readonly<Record<string, Type>>;

/** The variables that `evaluate` takes: every declared variable, in any form that data of its type may have. */
export type VariablesOf<V extends VariableTypes> = { readonly [K in keyof V]: DataOf<V[K]> };

/** The JavaScript types that data of a CEL type may have: `DataOf<typeof INT>` is `number | bigint`. */
export type DataOf<T extends Type> = T extends Type<unknown, infer D> ? D : never;

/** The JavaScript type of a result whose type the host states: `ResultOf<typeof DOUBLE>` is `number`. */
export type ResultOf<T extends Type> = T extends Type<infer R, unknown> ? R : never;

/** Options for compiling one expression. */
export interface CompileOptions<R = unknown> {
  /** Overrides the environment's. */
  readonly mode?: Mode;
  /** The type the expression must have. Results then come in its plain form: a number for a double, an array for a list. */
  readonly type?: Type<R, unknown>;
  /** Whether a result of this type is wanted, where more than one is. */
  readonly accepts?: (type: Type) => boolean;
}

/** No variables at all. */
// biome-ignore lint/complexity/noBannedTypes: the empty object type is meant, any variables may be added to it
type None = {};

/** The greatest size of expressions. A larger expression is an issue, never a crash. */
export interface Limits {
  /** Code points of one expression. */
  readonly sourceSize: number;
  /** Nesting while parsing. */
  readonly recursion: number;
  /** Nodes of one expression, macros expanded. */
  readonly nodes: number;
  /** Elements of one list literal, entries of one map or message literal. */
  readonly literalEntries: number;
  /** Cost of one evaluation. */
  readonly cost: number;
}

const DEFAULT_LIMITS: Limits = {
  sourceSize: 100_000,
  recursion: 250,
  nodes: 200_000,
  literalEntries: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
};

/** The result of `compile`: a program, or issues. */
// biome-ignore lint/suspicious/noExplicitAny: of an unnamed environment any variables are taken
export type Compilation<T = unknown, V = any> =
  | {
      readonly ok: true;
      readonly program: Program<T, V>;
      readonly checked: Checked;
      /** Warnings at most. */
      readonly issues: readonly Issue[];
    }
  | Rejection;

/** An expression that was not accepted, and every issue of it. */
export interface Rejection {
  readonly ok: false;
  /** The stage that rejected the expression: syntax, types, the type of the whole, a constant that can never work. */
  readonly stage: "parse" | "check" | "type" | "plan";
  /** The checked tree, where it came so far. */
  readonly checked?: Checked;
  readonly issues: readonly Issue[];
  readonly source: Source;
  /** The issues with line, column and caret. */
  toString(): string;
}

/** Thrown by `program`, for texts that are part of the host's own code. */
export class IssuesError extends Error {
  readonly issues: readonly Issue[];
  constructor(issues: readonly Issue[], source: Source) {
    super(displayIssues(issues, source));
    this.name = "IssuesError";
    this.issues = issues;
  }
}

/** Makes an environment. Throws when the options contradict each other, such as an overload that is declared twice. */
export function createEnv<const V extends VariableTypes = None>(options: EnvOptions<V> = {}): Env<V> {
  return new Env(options);
}

/**
 * An environment: what expressions may name, and how they are parsed, checked and run. Immutable; share it
 * between requests.
 */
// biome-ignore lint/suspicious/noExplicitAny: `Env` alone is any environment
export class Env<V extends VariableTypes = any> {
  readonly options: EnvOptions<V>;
  readonly declarations: Declarations;
  readonly macros: readonly Macro[];
  private readonly parseOptions: ParseOptions;
  private readonly limits: Limits;
  /** The environment's own first, then those the libraries bring. */
  private readonly validators: readonly Validator[];
  /** The functions of all libraries, shared with environments that only add names. */
  private readonly table: FunctionTable;

  constructor(options: EnvOptions<V>) {
    this.options = copyOf(options);
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    const libraries = [...(options.standard === false ? [] : [standardLibrary]), ...(options.libraries ?? [])];
    this.table = tableOf(options, libraries);
    this.declarations = declare(options, this.table);
    this.validators = [
      ...(options.validators ?? []),
      ...libraries.flatMap((library) => validatorsOf(library, options)),
    ];
    this.macros = options.macros === false ? [] : collectMacros(options, libraries);
    const optionalSyntax = libraries.some((library) => library.name === "cel.lib.optional");
    const { sourceSize, recursion, nodes } = this.limits;
    this.parseOptions = {
      macros: this.macros,
      optionalSyntax,
      backtickIdentifiers: options.quotedFields ?? hasChange(releaseOf(options), "quotedFields"),
      limits: { ...DEFAULT_PARSE_LIMITS, sourceSize, recursion, nodes },
      language: languageOf(releaseOf(options)),
    };
  }

  /** A new environment with these options added. */
  extend<const W extends VariableTypes = None>(more: EnvOptions<W>): Env<Omit<V, keyof W> & W> {
    const old = this.options;
    const options: EnvOptions<Omit<V, keyof W> & W> = {
      ...old,
      ...more,
      variables: { ...old.variables, ...more.variables } as Omit<V, keyof W> & W,
      libraries: [...(old.libraries ?? []), ...(more.libraries ?? [])],
      functions: [...(old.functions ?? []), ...(more.functions ?? [])],
      validators: [...(old.validators ?? []), ...(more.validators ?? [])],
      aliases: { ...old.aliases, ...more.aliases },
      limits: { ...old.limits, ...more.limits },
      ...(old.provider && more.provider ? { provider: composeProviders(more.provider, old.provider) } : {}),
    };
    if (!Object.keys(more).every((key) => NAMES.has(key))) return new Env(options);
    // Hosts make such environments by the thousand, one per schema; the functions are the larger part of one.
    const env = Object.create(Env.prototype) as Env<Omit<V, keyof W> & W>;
    return Object.assign(env, this, { options, declarations: declare(options, this.table) });
  }

  /** A function's overload by its id, as trees in the canonical form name it. */
  overload(id: string): Overload | undefined {
    for (const rows of this.declarations.functions.values()) {
      const found = rows.find((row) => row.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  parse(text: string | Source): Parsed {
    const parsed = parse(toSource(text), this.parseOptions);
    const { literalEntries } = this.limits;
    if (literalEntries === Number.POSITIVE_INFINITY || parsed.ast === undefined) return parsed;
    const large = largeLiterals(parsed.ast, literalEntries);
    return large.length > 0 ? { ...parsed, issues: [...parsed.issues, ...large] } : parsed;
  }

  /** Types every node; issues of the environment's validators included. */
  check(ast: Ast): Checked {
    const checked = check(ast, this.declarations);
    if (this.validators.length === 0 || checked.issues.length > 0) return checked;
    const issues = validate(checked, this.validators);
    return issues.length > 0 ? { ...checked, issues } : checked;
  }

  /** A program from a checked tree, or from an unchecked one; names and calls of an unchecked tree are resolved during evaluation. */
  plan<R = unknown>(input: Checked | Ast, options: CompileOptions<R> = {}): Program<R, VariablesOf<V>> | PlanIssue {
    const untyped = "ast" in input ? untypedNode(input, releaseOf(this.options)) : undefined;
    if (untyped !== undefined) return new PlanIssue("missing type conversion to proto: ", untyped, "untyped_node");
    const planned = plan(input, this.declarations, {
      presenceTestCost: this.options.presenceTestCost ?? 1,
      statedPrices: this.options.statedPrices ?? true,
      strictConstants: this.options.strictConstants ?? false,
      specification: this.options.semantics === "specification",
      release: releaseOf(this.options),
    });
    if ("error" in planned) return new PlanIssue(planned.error.message, planned.error.node);
    const mode = options.mode ?? this.options.mode ?? "auto";
    const conversion = options.type && conversionTo(options.type, planned.step.type);
    return new Program(planned, "ast" in input ? input.ast : input, mode, this.limits.cost, conversion);
  }

  /** The least and the greatest cost of an evaluation, given the sizes that variables may have. */
  estimate(checked: Checked, options: EstimateOptions = {}): Range {
    const { presenceTestCost = 1, callEstimates } = this.options;
    return estimateCost(checked, { presenceTestCost, ...(callEstimates && { overrides: callEstimates }), ...options });
  }

  /** Text to checked tree: what `compile` does before it plans. */
  checkText(text: string | Source): { readonly ok: true; readonly checked: Checked } | Rejection {
    const source = toSource(text);
    const parsed = this.parse(source);
    if (!parsed.ast || parsed.issues.length > 0) return this.failed("parse", parsed.issues, source);
    const checked = this.check(parsed.ast);
    const wrong = checked.issues.some((issue) => issue.severity === "error");
    return wrong ? this.failed("check", checked.issues, source) : { ok: true, checked };
  }

  /** Text to program. Issues are returned as data. */
  compile<R = unknown>(text: string | Source, options: CompileOptions<R> = {}): Compilation<R, VariablesOf<V>> {
    const source = toSource(text);
    const read = this.checkText(source);
    if (!read.ok) return read;
    const { checked } = read;
    const unexpected = options.type && expectType(checked, options.type);
    if (unexpected) return this.failed("type", [unexpected], source, checked);
    if (options.accepts?.(checked.type) === false) return this.failed("type", [unwanted(checked)], source, checked);
    const program = this.plan(checked, options);
    if (program instanceof PlanIssue) return this.failed("plan", [program.toIssue(checked.ast)], source, checked);
    return { ok: true, program, checked, issues: checked.issues };
  }

  private failed(stage: Rejection["stage"], issues: readonly Issue[], source: Source, checked?: Checked): Rejection {
    return rejection(stage, issues, source, releaseOf(this.options), checked);
  }

  /** The same for texts that must be right: throws an IssuesError with the text, the place and a caret. */
  program<R = unknown>(text: string | Source, options: CompileOptions<R> = {}): Program<R, VariablesOf<V>> {
    const result = this.compile(text, options);
    if (!result.ok) throw new IssuesError(result.issues, result.source);
    return result.program;
  }
}

/** A constant that can never work, or a node that has no type in some releases of cel-go, found while planning. */
export class PlanIssue {
  readonly message: string;
  readonly node: number;
  readonly code: string;
  constructor(message: string, node: number, code = "invalid_constant") {
    this.message = message;
    this.node = node;
    this.code = code;
  }
  toIssue(ast: Ast): Issue {
    const span = ast.spans.get(this.node);
    return { code: this.code, message: this.message, severity: "error", ...(span && { span }) };
  }
}

/** Environments do not change when the host goes on with the objects it made one from. */
function copyOf<V extends VariableTypes>(options: EnvOptions<V>): EnvOptions<V> {
  const { variables, aliases, libraries, functions, validators } = options;
  return {
    ...options,
    ...(variables && { variables: { ...variables } }),
    ...(aliases && { aliases: { ...aliases } }),
    ...(libraries && { libraries: [...libraries] }),
    ...(functions && { functions: [...functions] }),
    ...(validators && { validators: [...validators] }),
  };
}

function toSource(text: string | Source): Source {
  return typeof text === "string" ? { name: "<input>", text } : text;
}

function rejection(
  stage: Rejection["stage"],
  issues: readonly Issue[],
  source: Source,
  release: Release,
  checked?: Checked,
): Rejection {
  const shown = (): string => displayIssues(issues, source, !hasChange(release, "placesAtLineStarts"));
  return { ok: false, stage, issues, source, toString: shown, ...(checked && { checked }) };
}

function unwanted({ type }: Checked): Issue {
  const message = `the result is of type ${formatType(type)}`;
  return { code: "wrong_result_type", message, severity: "error", kinds: [type.kind] };
}

const validatorsOf = ({ validators = [], validatorsSince = 0 }: Library, options: EnvOptions): readonly Validator[] =>
  releaseOf(options) < validatorsSince ? [] : validators;

const releaseOf = ({ release = NEWEST_RELEASE }: EnvOptions): Release => release;

const languageOf = (release: Release): LanguageOptions => ({
  backtickTokens: hasChange(release, "backtickTokens"),
  strictEscapes: hasChange(release, "strictEscapes"),
  hiddenAccumulator: hasChange(release, "hiddenAccumulator"),
});

/** A node without a type, where a release leaves some without: Kubernetes cannot store such a tree. */
function untypedNode({ types }: Checked, release: Release): number | undefined {
  if (hasChange(release, "typesOfSecondVariables")) return undefined;
  for (const [node, type] of types) if (type.open) return node;
  return undefined;
}

/** Functions by name, and the types of libraries. */
interface FunctionTable {
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly provider: TypeProvider;
}

function tableOf(options: EnvOptions, libraries: readonly Library[]): FunctionTable {
  const functions = new Map<string, Overload[]>();
  const types: Type[] = [];
  const constants: Constant[] = [];
  const specification = options.semantics === "specification";
  const release = releaseOf(options);
  const add = (given: Overload, costByName: boolean): void => {
    const row = specification ? asSpecified(given) : given;
    const rows = functions.get(row.name);
    const entry = costByName ? { ...row, costByName } : row;
    if (rows === undefined) functions.set(row.name, [entry]);
    else if (!rows.some((other) => other.id === row.id)) {
      const next = row.before === undefined ? -1 : rows.findIndex((other) => other.id === row.before);
      rows.splice(next < 0 ? rows.length : next, 0, entry);
    }
  };
  for (const library of libraries) {
    for (const row of overloadsIn(library, release)) add(row, library.costBy === "function");
    types.push(...(library.olderTypes?.(release) ?? library.types ?? []));
    constants.push(...(library.constants ?? []));
  }
  for (const row of new Set(options.functions)) {
    const taken = functions.get(row.name)?.find((other) => collides(other, row));
    // The first row of a kind would be called, never this one: an error is better than a surprise.
    if (taken) throw new Error(`overload '${row.id}' of '${row.name}' collides with '${taken.id}'`);
    add(hostFunction(row), false);
  }
  return { functions, provider: createNamedProvider(types, constants) };
}

/** Overloads between which no call could choose. */
function collides(a: Overload, b: Overload): boolean {
  if (a.id === b.id) return true;
  return a.member === b.member && a.args.map(formatType).join() === b.args.map(formatType).join();
}

function declare(options: EnvOptions, { functions, provider }: FunctionTable): Declarations {
  return {
    container: options.container ?? "",
    aliases: new Map(Object.entries(options.aliases ?? {})),
    variables: new Map(Object.entries(options.variables ?? {})),
    functions,
    specification: options.semantics === "specification",
    release: releaseOf(options),
    provider: options.provider ? composeProviders(provider, options.provider) : provider,
  };
}

/** Options that leave functions and macros unchanged. */
const NAMES: ReadonlySet<string> = new Set(["variables", "provider", "container", "aliases"]);

function collectMacros(options: EnvOptions, libraries: readonly Library[]): Macro[] {
  const macros = options.standard === false ? [] : [...STANDARD_MACROS];
  for (const library of libraries) macros.push(...(library.olderMacros?.(releaseOf(options)) ?? library.macros ?? []));
  return macros;
}
