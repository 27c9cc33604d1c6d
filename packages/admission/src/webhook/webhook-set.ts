// Compiled webhooks in the order they are called. Immutable; a change makes a new set that shares unchanged parts.

import { compareStrings } from "@celadon/base";
import { BOOL } from "@celadon/cel";
import { nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { type CompiledCondition, type CompiledRules, ownerOf } from "../compile/compile.ts";
import type { VariableTypes } from "../compile/environments.ts";
import { PolicyCompiler } from "../compile/policy-compiler.ts";
import { isStatic } from "../match/exempt.ts";
import type { MatchCondition } from "../policy.ts";
import type { Webhook, WebhookConfiguration, WebhookKind } from "./configuration.ts";

/** A webhook, compiled. */
export interface CompiledWebhook {
  /** The configuration's name. */
  readonly configuration: string;
  /** Name of configuration and webhook: what reinvocation remembers. */
  readonly id: string;
  readonly webhook: Webhook;
  readonly mutating: boolean;
  /** From a file of the server: also called for the kinds that other webhooks never receive. */
  readonly static: boolean;
  readonly rules: CompiledRules;
}

/** A change of a set of webhooks. */
export interface WebhookChange {
  readonly put?: readonly WebhookConfiguration[];
  readonly remove?: readonly { readonly kind: WebhookKind; readonly name: string }[];
}

/** Webhooks of all configurations, compiled and in the order they are called; immutable. */
export class WebhookSet {
  readonly validating: readonly CompiledWebhook[];
  readonly mutating: readonly CompiledWebhook[];
  readonly #configurations: ReadonlyMap<string, readonly CompiledWebhook[]>;
  readonly #kubeVersion: Minor | undefined;
  readonly #compiler: PolicyCompiler;

  private constructor(
    configurations: ReadonlyMap<string, readonly CompiledWebhook[]>,
    kubeVersion: Minor | undefined,
    compiler: PolicyCompiler,
  ) {
    this.#configurations = configurations;
    this.#kubeVersion = kubeVersion;
    this.#compiler = compiler;
    const sorted = [...configurations.entries()]
      .sort(([a], [b]) => compareStrings(a, b))
      .flatMap(([, webhooks]) => webhooks);
    const ordered = [...sorted.filter((webhook) => webhook.static), ...sorted.filter((webhook) => !webhook.static)];
    this.validating = ordered.filter(({ mutating }) => !mutating);
    this.mutating = ordered.filter(({ mutating }) => mutating);
  }

  /**
   * `kubeVersion`: the version of the API server whose libraries conditions have; the current one when absent. `compiler`: one of the set's
   * own when absent.
   */
  static of(
    configurations: readonly WebhookConfiguration[] = [],
    kubeVersion?: Minor,
    compiler: PolicyCompiler = new PolicyCompiler(),
  ): WebhookSet {
    return new WebhookSet(new Map(), kubeVersion, compiler).with({ put: configurations });
  }

  with({ put = [], remove = [] }: WebhookChange): WebhookSet {
    const configurations = new Map(this.#configurations);
    for (const { kind, name } of remove) configurations.delete(`${kind}/${name}`);
    for (const configuration of put) {
      const compiled = compileConfiguration(configuration, this.#kubeVersion, this.#compiler);
      configurations.set(`${configuration.kind}/${nameOf(configuration)}`, compiled);
    }
    return new WebhookSet(configurations, this.#kubeVersion, this.#compiler);
  }
}

export function compileConfiguration(
  configuration: WebhookConfiguration,
  kubeVersion?: Minor,
  compiler: PolicyCompiler = new PolicyCompiler(),
): readonly CompiledWebhook[] {
  const owner = ownerOf(configuration);
  const { name } = owner;
  const mutating = configuration.kind === "MutatingWebhookConfiguration";
  return (configuration.webhooks ?? []).map((webhook, i) => ({
    configuration: name,
    id: `${configuration.kind}/${name}/${webhook.name}/${i}`,
    webhook,
    mutating,
    static: isStatic(name),
    rules: {
      name: webhook.name,
      owner: { ...owner, webhook: { name: webhook.name, index: i } },
      failurePolicy: webhook.failurePolicy ?? "Fail",
      paramKind: undefined,
      match: compiler.match({
        resourceRules: webhook.rules ?? [],
        ...(webhook.matchPolicy && { matchPolicy: webhook.matchPolicy }),
        ...(webhook.namespaceSelector && { namespaceSelector: webhook.namespaceSelector }),
        ...(webhook.objectSelector && { objectSelector: webhook.objectSelector }),
      }),
      conditions: (webhook.matchConditions ?? []).map((condition) =>
        compileCondition(condition, kubeVersion, compiler),
      ),
      variables: NO_VARIABLES,
    },
  }));
}

const NO_VARIABLES = { names: new Map<string, number>(), expressions: [] };
const NO_TYPES: VariableTypes = new Map();
const DECLARED = { params: false, authorizer: true, variables: false } as const;

/** A condition that does not compile is an error when it is evaluated: the webhook's failurePolicy answers for it. */
function compileCondition(
  { name, expression: text }: MatchCondition,
  kubeVersion: Minor | undefined,
  compiler: PolicyCompiler,
): CompiledCondition {
  const compiled = compiler.expression({ ...DECLARED, kubeVersion }, NO_TYPES, text, [BOOL]);
  return {
    name,
    text,
    program: compiled.ok ? compiled.program : undefined,
    error: compiled.ok ? "" : compiled.message,
  };
}
