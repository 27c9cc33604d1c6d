// Webhooks ready to be asked: every configuration compiled once, in the order they are called. Immutable; a change makes a new
// set that shares what did not change.

import { compareStrings } from "@celadon/base";
import { BOOL } from "@celadon/cel";
import { nameOf } from "@celadon/kube";
import { compileExpression, type Minor } from "@celadon/kube-cel";
import { type CompiledCondition, type CompiledRules, ownerOf } from "../compile.ts";
import { withEnvironment } from "../environments.ts";
import { isStatic } from "../match/exempt.ts";
import { compileMatch } from "../match/match-resources.ts";
import type { MatchCondition } from "../policy.ts";
import type { Webhook, WebhookConfiguration, WebhookKind } from "./configuration.ts";

export interface CompiledWebhook {
  /** The configuration's name. */
  readonly configuration: string;
  /** Name of configuration and webhook: what reinvocation remembers. */
  readonly id: string;
  readonly webhook: Webhook;
  readonly mutating: boolean;
  /** From a file of the server: also asked about the kinds that others are never asked about. */
  readonly static: boolean;
  readonly rules: CompiledRules;
}

export interface WebhookChange {
  readonly put?: readonly WebhookConfiguration[];
  readonly remove?: readonly { readonly kind: WebhookKind; readonly name: string }[];
}

export class WebhookSet {
  readonly validating: readonly CompiledWebhook[];
  readonly mutating: readonly CompiledWebhook[];
  readonly #configurations: ReadonlyMap<string, readonly CompiledWebhook[]>;
  readonly #kubeVersion: Minor | undefined;

  private constructor(configurations: ReadonlyMap<string, readonly CompiledWebhook[]>, kubeVersion: Minor | undefined) {
    this.#configurations = configurations;
    this.#kubeVersion = kubeVersion;
    const sorted = [...configurations.entries()]
      .sort(([a], [b]) => compareStrings(a, b))
      .flatMap(([, webhooks]) => webhooks);
    const ordered = [...sorted.filter((one) => one.static), ...sorted.filter((one) => !one.static)];
    this.validating = ordered.filter(({ mutating }) => !mutating);
    this.mutating = ordered.filter(({ mutating }) => mutating);
  }

  /** `kubeVersion`: the minor of the API server whose libraries conditions have; the current one when absent. */
  static of(configurations: readonly WebhookConfiguration[] = [], kubeVersion?: Minor): WebhookSet {
    return new WebhookSet(new Map(), kubeVersion).with({ put: configurations });
  }

  with({ put = [], remove = [] }: WebhookChange): WebhookSet {
    const configurations = new Map(this.#configurations);
    for (const { kind, name } of remove) configurations.delete(`${kind}/${name}`);
    for (const configuration of put) {
      const compiled = compileConfiguration(configuration, this.#kubeVersion);
      configurations.set(`${configuration.kind}/${nameOf(configuration)}`, compiled);
    }
    return new WebhookSet(configurations, this.#kubeVersion);
  }
}

export function compileConfiguration(
  configuration: WebhookConfiguration,
  kubeVersion?: Minor,
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
      match: compileMatch({
        resourceRules: webhook.rules ?? [],
        ...(webhook.matchPolicy && { matchPolicy: webhook.matchPolicy }),
        ...(webhook.namespaceSelector && { namespaceSelector: webhook.namespaceSelector }),
        ...(webhook.objectSelector && { objectSelector: webhook.objectSelector }),
      }),
      conditions: (webhook.matchConditions ?? []).map((condition) => compileCondition(condition, kubeVersion)),
      variables: NO_VARIABLES,
    },
  }));
}

const NO_VARIABLES = { names: new Map<string, number>(), expressions: [] };
const DECLARED = { params: false, authorizer: true, variables: false } as const;

/** What does not compile is an error when it is evaluated: the webhook's failurePolicy answers for it. */
function compileCondition(
  { name, expression: text }: MatchCondition,
  kubeVersion: Minor | undefined,
): CompiledCondition {
  const compiled = withEnvironment({ ...DECLARED, kubeVersion }, new Map(), (env) =>
    compileExpression(env, text, { returnTypes: [BOOL] }),
  );
  return {
    name,
    text,
    program: compiled.ok ? compiled.program : undefined,
    error: compiled.ok ? "" : compiled.message,
  };
}
