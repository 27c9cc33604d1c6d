// The checks of an AuthorizationConfiguration, and its match conditions, compiled, in the order in which the server reports them. Upstream:
// apiserver pkg/apis/apiserver/validation/validation.go, kubernetes pkg/kubeapiserver/authorizer/config.go.

import { formatGoJson } from "@celadon/base";
import type { Duration } from "@celadon/cel";
import { durationToNanos, formatGoDuration } from "@celadon/cel/values";
import type { AcceptedResource, KubeObject } from "@celadon/kube";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  requiredValue,
  ShownText,
  tooMany,
} from "@celadon/kube/errors";
import { checkDns1123Subdomain } from "@celadon/kube/names";
import { failure } from "@celadon/kube/status";
import type { Minor } from "@celadon/kube/versions";
import { goDuration } from "../configuration/go-duration.ts";
import { accepted, readConfiguration, unreadable } from "../configuration/read-configuration.ts";
import { listOf, textOf } from "../configuration/values.ts";
import {
  AUTHORIZATION_CONFIGURATION,
  type AuthorizationConfiguration,
  type AuthorizationWebhook,
  type ConfiguredAuthorizer,
} from "./configuration.ts";
import { type AuthorizationCondition, compileCondition } from "./match-conditions.ts";

/** Options for checking a configuration. */
export interface AuthorizationOptions {
  /** The version of the API server; the current one when absent. */
  readonly kubeVersion?: Minor | undefined;
  /** The problem of a kubeconfig file; without it, every file is taken to exist. */
  readonly fileProblem?: ((path: string) => string | undefined) | undefined;
}

/** An authorizer of the chain. Durations are in milliseconds. */
export interface CompiledAuthorizer {
  readonly type: string;
  readonly name: string;
  readonly webhook?: CompiledAuthorizationWebhook;
}

/** A webhook with its conditions and the defaults of the server. */
export interface CompiledAuthorizationWebhook {
  readonly webhook: AuthorizationWebhook;
  readonly timeout: number;
  readonly authorizedTtl: number;
  readonly unauthorizedTtl: number;
  readonly conditions: readonly AuthorizationCondition[];
}

/** A configuration with its conditions. */
export interface CompiledAuthorization {
  readonly configuration: AuthorizationConfiguration;
  readonly authorizers: readonly CompiledAuthorizer[];
}

const TYPES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"];
const WEBHOOK = "Webhook";
const MOST_CONDITIONS = 64;
const SECOND = 1_000_000_000n;
const LONGEST_TIMEOUT = 30n * SECOND;
const DURATIONS = { timeout: "0s", authorizedTTL: "5m", unauthorizedTTL: "30s" } as const;

type DurationField = keyof typeof DURATIONS;
type Durations = Readonly<Record<DurationField, Duration>>;

/** A file as the server reads and validates it, with its conditions. In force only without a status. */
export function acceptAuthorization(
  file: KubeObject,
  options: AuthorizationOptions = {},
): AcceptedResource<CompiledAuthorization> {
  const read = readConfiguration<AuthorizationConfiguration>(AUTHORIZATION_CONFIGURATION, file, options.kubeVersion);
  if ("failed" in read) return read.failed;
  const { configuration } = read;
  const list = listOf(configuration.authorizers);
  const durations: Durations[] = [];
  for (const [i, authorizer] of list.entries()) {
    const found = durationsOf(Object((file.authorizers as readonly unknown[])[i]).webhook, authorizer, i);
    if ("status" in found) return found;
    durations.push(found as Durations);
  }
  const checks = new AuthorizationChecks(options);
  const authorizers = checks.all(list, durations);
  if (checks.errors.length > 0 || read.strict !== "") {
    return accepted({ configuration, authorizers }, checks.errors, read);
  }
  return withNames(accepted({ configuration, authorizers }, [], read), list);
}

/** An absent duration is zero; one that is null does not parse. */
function durationsOf(
  written: unknown,
  { webhook }: ConfiguredAuthorizer,
  index: number,
): Durations | AcceptedResource<never> {
  const found: Partial<Record<DurationField, Duration>> = {};
  for (const name of Object.keys(DURATIONS) as DurationField[]) {
    const isNull = (Object(written) as Readonly<Record<string, unknown>>)[name] === null;
    const duration = goDuration(isNull ? "" : (webhook?.[name] ?? "0s"));
    if (typeof duration === "string") {
      return unreadable(fieldPath("authorizers").index(index).child("webhook", name), duration);
    }
    const isDefault = name !== "timeout" && nanosOf(duration) === 0n;
    found[name] = isDefault ? (goDuration(DURATIONS[name]) as Duration) : duration;
  }
  return found as Durations;
}

/** kube-apiserver has a name for every type but webhooks. */
function withNames(
  found: AcceptedResource<CompiledAuthorization>,
  authorizers: readonly ConfiguredAuthorizer[],
): AcceptedResource<CompiledAuthorization> {
  const misnamed = authorizers.flatMap(({ type = "", name = "" }, i) =>
    type === WEBHOOK || name === type.toLowerCase() ? [] : [{ type, name, wanted: type.toLowerCase(), i }],
  );
  if (misnamed.length === 0) return found;
  const texts = misnamed.map(
    ({ type, name, wanted }) => `expected name ${wanted} for authorizer ${type} instead of ${name}`,
  );
  const errors = misnamed.map(({ type, name, wanted, i }) =>
    invalidValue(
      fieldPath("authorizers").index(i).child("name"),
      name,
      `expected name ${wanted} for authorizer ${type}`,
    ),
  );
  const message = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
  return { ...found, errors, status: failure("Invalid", message) };
}

class AuthorizationChecks {
  readonly errors: FieldError[] = [];
  readonly #options: AuthorizationOptions;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
  }

  all(list: readonly ConfiguredAuthorizer[], durations: readonly Durations[]): CompiledAuthorizer[] {
    if (list.length === 0) {
      this.errors.push(requiredValue("authorizers", "at least one authorization mode must be defined"));
    }
    const types = new Set<string>();
    const names = new Set<string>();
    return list.flatMap((authorizer, i) => {
      const path = fieldPath("authorizers").index(i);
      const type = textOf(authorizer.type);
      if (!this.#isType(type, path.child("type"), types)) return [];
      const name = textOf(authorizer.name);
      this.#checkName(name, path.child("name"), names);
      if (type !== WEBHOOK) {
        if (authorizer.webhook) {
          this.errors.push(invalidValue(path.child("webhook"), "non-null", "may only be specified when type=Webhook"));
        }
        return [{ type, name }];
      }
      if (!authorizer.webhook) {
        this.errors.push(requiredValue(path.child("webhook"), "required when type=Webhook"));
        return [];
      }
      return [{ type, name, webhook: this.#webhook(authorizer.webhook, durations[i]!, path) }];
    });
  }

  #isType(type: string, path: FieldPath, seen: Set<string>): boolean {
    if (type === "") this.errors.push(requiredValue(path));
    else if (!TYPES.includes(type)) this.errors.push(notSupported(path, type, TYPES));
    else if (seen.has(type) && type !== WEBHOOK) this.errors.push(duplicateValue(path, type));
    else {
      seen.add(type);
      return true;
    }
    return false;
  }

  #checkName(name: string, path: FieldPath, seen: Set<string>): void {
    const problems = name === "" ? [] : checkDns1123Subdomain(name);
    if (name === "") this.errors.push(requiredValue(path));
    else if (seen.has(name)) this.errors.push(duplicateValue(path, name));
    else if (problems.length > 0) {
      this.errors.push(invalidValue(path, name, `authorizer name is invalid: ${problems.join(", ")}`));
    }
    seen.add(name);
  }

  /** The server's paths leave out `webhook`. */
  #webhook(webhook: AuthorizationWebhook, durations: Durations, authorizer: FieldPath): CompiledAuthorizationWebhook {
    const path = authorizer.standingAt([...authorizer.steps, "webhook"]);
    const { timeout, authorizedTTL, unauthorizedTTL } = durations;
    this.#checkTimeout(timeout, path.child("timeout"));
    this.#checkTtl(authorizedTTL, path.child("authorizedTTL"));
    this.#checkTtl(unauthorizedTTL, path.child("unauthorizedTTL"));
    this.#checkOneOf(webhook.subjectAccessReviewVersion, ["v1", "v1beta1"], path.child("subjectAccessReviewVersion"));
    this.#checkConditionVersion(webhook, path.child("matchConditionSubjectAccessReviewVersion"));
    this.#checkOneOf(webhook.failurePolicy, ["NoOpinion", "Deny"], path.child("failurePolicy"));
    this.#checkConnection(webhook.connectionInfo ?? {}, path.child("connectionInfo"));
    return {
      webhook,
      timeout: milliseconds(timeout),
      authorizedTtl: milliseconds(authorizedTTL),
      unauthorizedTtl: milliseconds(unauthorizedTTL),
      conditions: this.#conditions(listOf(webhook.matchConditions), path.child("matchConditions")),
    };
  }

  #checkTimeout(timeout: Duration, path: FieldPath): void {
    const nanos = nanosOf(timeout);
    if (nanos === 0n) this.errors.push(requiredValue(path));
    else if (nanos < 0n || nanos > LONGEST_TIMEOUT) {
      this.errors.push(invalidValue(path, formatGoDuration(timeout), "must be > 0s and <= 30s"));
    }
  }

  #checkTtl(ttl: Duration, path: FieldPath): void {
    if (nanosOf(ttl) < 0n) this.errors.push(invalidValue(path, formatGoDuration(ttl), "must be > 0s"));
  }

  #checkOneOf(given: string | undefined, supported: readonly string[], path: FieldPath): void {
    const value = textOf(given);
    if (value === "") this.errors.push(requiredValue(path));
    else if (!supported.includes(value)) this.errors.push(notSupported(path, value, supported));
  }

  #checkConditionVersion(
    { matchConditionSubjectAccessReviewVersion, matchConditions }: AuthorizationWebhook,
    path: FieldPath,
  ): void {
    const version = textOf(matchConditionSubjectAccessReviewVersion);
    if (version !== "") this.#checkOneOf(version, ["v1"], path);
    else if (listOf(matchConditions).length > 0) {
      this.errors.push(requiredValue(path, "required if match conditions are specified"));
    }
  }

  #checkConnection(
    { type, kubeConfigFile: file }: NonNullable<AuthorizationWebhook["connectionInfo"]>,
    path: FieldPath,
  ): void {
    const at = path.child("kubeConfigFile");
    switch (textOf(type)) {
      case "":
        this.errors.push(requiredValue(path.child("type")));
        return;
      case "InClusterConfig":
        if (typeof file === "string") {
          this.errors.push(invalidValue(at, file, "can only be set when type=KubeConfigFile"));
        }
        return;
      case "KubeConfigFile": {
        if (textOf(file) === "") this.errors.push(requiredValue(at));
        else if (!textOf(file).startsWith("/")) this.errors.push(invalidValue(at, file, "must be an absolute path"));
        else {
          const problem = this.#options.fileProblem?.(textOf(file));
          if (problem !== undefined) this.errors.push(invalidValue(at, file, problem));
        }
        return;
      }
      default: {
        const shown = new ShownText(`{"Type":${formatGoJson(type)},"KubeConfigFile":${formatGoJson(file ?? null)}}`);
        this.errors.push(notSupported(path.child("type"), shown, ["InClusterConfig", "KubeConfigFile"]));
      }
    }
  }

  #conditions(list: readonly { readonly expression?: string }[], path: FieldPath): AuthorizationCondition[] {
    if (list.length > MOST_CONDITIONS) {
      this.errors.push(tooMany(path, list.length, MOST_CONDITIONS));
      return [];
    }
    const seen = new Set<string>();
    return list.flatMap((condition, i) => {
      const at = path.index(i).child("expression");
      const text = textOf(condition?.expression);
      if (text.trim() === "") this.errors.push(requiredValue(at));
      else if (seen.has(text)) this.errors.push(duplicateValue(at, text));
      else {
        seen.add(text);
        const compiled = compileCondition(text, i, at, this.#options.kubeVersion);
        if ("program" in compiled) return [compiled];
        this.errors.push(compiled);
      }
      return [];
    });
  }
}

const nanosOf = (duration: Duration): bigint => BigInt(durationToNanos(duration));
const milliseconds = (duration: Duration): number => Number(nanosOf(duration)) / 1_000_000;
