// The checks of an AuthenticationConfiguration, and its expressions, compiled, in the order in which the server reports them. Upstream:
// apiserver pkg/apis/apiserver/validation/validation.go.

import type { AcceptedResource, KubeObject } from "@celadon/kube";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  JsonShown,
  requiredValue,
  tooMany,
} from "@celadon/kube/errors";
import type { Minor } from "@celadon/kube/versions";
import { accepted, readConfiguration } from "../configuration/read-configuration.ts";
import { listOf, textOf } from "../configuration/values.ts";
import {
  AUTHENTICATION_CONFIGURATION,
  type AuthenticationConfiguration,
  type ClaimMapping,
  type ClaimValidationRule,
  type ExtraMapping,
  type JwtAuthenticator,
  type UserValidationRule,
} from "./configuration.ts";
import { type CompiledClaim, compileClaim, type ExpressionSubject } from "./expressions.ts";
import { extraKeyErrors } from "./extra-key.ts";
import { issuerErrors } from "./issuer.ts";
import { usesClaim } from "./uses-claim.ts";

/** Options for checking a configuration. */
export interface AuthenticationOptions {
  /** The version of the API server; the current one when absent. */
  readonly kubeVersion?: Minor | undefined;
  /** Issuers that the server has for itself: that of service accounts. */
  readonly disallowedIssuers?: readonly string[] | undefined;
}

/** An expression with the message of its rule. */
export interface CompiledRule extends CompiledClaim {
  readonly message: string;
}

/** An authenticator with its expressions; only those that are accepted. */
export interface CompiledAuthenticator {
  readonly authenticator: JwtAuthenticator;
  readonly username?: CompiledClaim | undefined;
  readonly groups?: CompiledClaim | undefined;
  readonly uid?: CompiledClaim | undefined;
  readonly extra: readonly { readonly key: string; readonly compiled: CompiledClaim }[];
  readonly claimRules: readonly CompiledRule[];
  readonly userRules: readonly CompiledRule[];
}

/** A configuration with its expressions. */
export interface CompiledAuthentication {
  readonly configuration: AuthenticationConfiguration;
  readonly authenticators: readonly CompiledAuthenticator[];
}

const MOST_AUTHENTICATORS = 64;

/** A file as the server reads and validates it, with its expressions. In force only without a status. */
export function acceptAuthentication(
  file: KubeObject,
  options: AuthenticationOptions = {},
): AcceptedResource<CompiledAuthentication> {
  const read = readConfiguration<AuthenticationConfiguration>(AUTHENTICATION_CONFIGURATION, file, options.kubeVersion);
  if ("failed" in read) return read.failed;
  const { configuration } = read;
  const { authenticators, errors } = new AuthenticationChecks(options).all(configuration);
  return accepted({ configuration, authenticators }, errors, read);
}

class AuthenticationChecks {
  readonly #options: AuthenticationOptions;
  readonly #errors: FieldError[] = [];

  constructor(options: AuthenticationOptions) {
    this.#options = options;
  }

  all({ jwt, anonymous }: AuthenticationConfiguration): {
    readonly authenticators: readonly CompiledAuthenticator[];
    readonly errors: readonly FieldError[];
  } {
    const root = fieldPath("jwt");
    const list = listOf(jwt);
    if (list.length > MOST_AUTHENTICATORS) {
      return { authenticators: [], errors: [tooMany(root, list.length, MOST_AUTHENTICATORS)] };
    }
    const urls = new Set<string>();
    const discoveries = new Set<string>();
    const authenticators = list.map((authenticator, i) => {
      const path = root.index(i);
      const compiled = this.#authenticator(authenticator, path);
      const { url, discoveryURL } = authenticator.issuer ?? {};
      this.#once(urls, textOf(url), path.child("issuer", "url"));
      if (textOf(discoveryURL) !== "")
        this.#once(discoveries, textOf(discoveryURL), path.child("issuer", "discoveryURL"));
      return compiled;
    });
    const conditions = listOf(anonymous?.conditions);
    if (anonymous && anonymous.enabled !== true && conditions.length > 0) {
      const shown = new JsonShown(conditions.map(({ path }) => ({ Path: textOf(path) })));
      this.#errors.push(
        invalidValue(
          fieldPath("anonymous", "conditions"),
          shown,
          "enabled should be set to true when conditions are defined",
        ),
      );
    }
    return { authenticators, errors: this.#errors };
  }

  #once(seen: Set<string>, value: string, path: FieldPath): boolean {
    if (seen.has(value)) this.#errors.push(duplicateValue(path, value));
    const isNew = !seen.has(value);
    seen.add(value);
    return isNew;
  }

  #authenticator(authenticator: JwtAuthenticator, path: FieldPath): CompiledAuthenticator {
    const { issuer = {}, claimValidationRules, claimMappings = {}, userValidationRules } = authenticator;
    this.#errors.push(...issuerErrors(issuer, path.child("issuer"), this.#options.disallowedIssuers ?? []));
    const claimRules = this.#claimRules(listOf(claimValidationRules), path.child("claimValidationRules"));
    const mappings = path.child("claimMappings");
    const username = this.#mapping(claimMappings.username ?? {}, mappings.child("username"), true);
    const groups = this.#mapping(claimMappings.groups ?? {}, mappings.child("groups"), false);
    const uid = this.#uid(claimMappings.uid ?? {}, mappings.child("uid"));
    const extra = this.#extra(listOf(claimMappings.extra), mappings.child("extra"));
    const verified = [username, ...extra.map(({ compiled }) => compiled), ...claimRules];
    if (username && usesClaim(username, "email") && !verified.some((one) => one && usesClaim(one, "email_verified"))) {
      this.#errors.push(invalidValue(mappings.child("username", "expression"), username.text, EMAIL_NOT_VERIFIED));
    }
    const userRules = this.#userRules(listOf(userValidationRules), path.child("userValidationRules"));
    return { authenticator, username, groups, uid, extra, claimRules, userRules };
  }

  #claimRules(rules: readonly ClaimValidationRule[], path: FieldPath): CompiledRule[] {
    const claims = new Set<string>();
    const expressions = new Set<string>();
    return rules.flatMap((rule, i) => {
      const at = path.index(i);
      const [claim, expression] = [textOf(rule.claim), textOf(rule.expression)];
      const [required, message] = [textOf(rule.requiredValue), textOf(rule.message)];
      if (claim !== "" && expression !== "") {
        this.#errors.push(invalidValue(at, claim, BOTH_SET));
      } else if (claim !== "") {
        if (message !== "") {
          this.#errors.push(invalidValue(at.child("message"), message, "may not be specified when claim is set"));
        }
        this.#once(claims, claim, at.child("claim"));
      } else if (expression === "") {
        this.#errors.push(requiredValue(at, "claim or expression is required"));
      } else {
        if (required !== "") {
          this.#errors.push(
            invalidValue(at.child("requiredValue"), required, "may not be specified when expression is set"),
          );
        }
        return this.#rule("claims", expression, message, expressions, at.child("expression"));
      }
      return [];
    });
  }

  #userRules(rules: readonly UserValidationRule[], path: FieldPath): CompiledRule[] {
    const expressions = new Set<string>();
    return rules.flatMap((rule, i) => {
      const at = path.index(i).child("expression");
      const expression = textOf(rule.expression);
      if (expression !== "") return this.#rule("user", expression, textOf(rule.message), expressions, at);
      this.#errors.push(requiredValue(at));
      return [];
    });
  }

  #rule(subject: ExpressionSubject, text: string, message: string, seen: Set<string>, path: FieldPath): CompiledRule[] {
    const compiled = this.#once(seen, text, path) ? this.#compile(subject, text, path, true) : undefined;
    return compiled === undefined ? [] : [{ ...compiled, message }];
  }

  #mapping(mapping: ClaimMapping, path: FieldPath, isRequired: boolean): CompiledClaim | undefined {
    const [claim, expression] = [textOf(mapping.claim), textOf(mapping.expression)];
    if (claim !== "" && expression !== "") {
      this.#errors.push(invalidValue(path, "", BOTH_SET));
    } else if (expression !== "") {
      const before = this.#errors.length;
      if (typeof mapping.prefix === "string") {
        this.#errors.push(
          invalidValue(path.child("prefix"), mapping.prefix, "may not be specified when expression is set"),
        );
      }
      const compiled = this.#compile("claims", expression, path.child("expression"), false);
      // The server reads nothing else of a mapping with an error.
      return this.#errors.length === before ? compiled : undefined;
    } else if (claim === "") {
      if (isRequired) this.#errors.push(requiredValue(path, "claim or expression is required"));
    } else if (typeof mapping.prefix !== "string") {
      this.#errors.push(requiredValue(path.child("prefix"), NO_PREFIX));
    }
    return undefined;
  }

  #uid(mapping: ClaimMapping, path: FieldPath): CompiledClaim | undefined {
    const [claim, expression] = [textOf(mapping.claim), textOf(mapping.expression)];
    if (expression === "") return undefined;
    if (claim === "") return this.#compile("claims", expression, path.child("expression"), false);
    this.#errors.push(invalidValue(path, "", BOTH_SET));
    return undefined;
  }

  #extra(mappings: readonly ExtraMapping[], path: FieldPath): CompiledAuthenticator["extra"] {
    const keys = new Set<string>();
    return mappings.flatMap((mapping, i) => {
      const at = path.index(i);
      const [key, expression] = [textOf(mapping.key), textOf(mapping.valueExpression)];
      this.#errors.push(...extraKeyErrors(key, at.child("key")));
      if (!this.#once(keys, key, at.child("key"))) return [];
      if (expression === "") {
        this.#errors.push(requiredValue(at.child("valueExpression")));
        return [];
      }
      const compiled = this.#compile("claims", expression, at.child("valueExpression"), false);
      return compiled === undefined ? [] : [{ key, compiled }];
    });
  }

  #compile(subject: ExpressionSubject, text: string, path: FieldPath, isRule: boolean): CompiledClaim | undefined {
    const { compiled, error } = compileClaim(subject, text, path, isRule, this.#options.kubeVersion);
    if (error !== undefined) this.#errors.push(error);
    return compiled;
  }
}

const BOTH_SET = "claim and expression can't both be set";
const NO_PREFIX = "prefix is required when claim is set. It can be set to an empty string to disable prefixing";
const EMAIL_NOT_VERIFIED =
  "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression";
