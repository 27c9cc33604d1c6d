// The user that a token's claims make, or why they make none, in the server's order: mappings, required claims, rules over claims, rules over
// the user. Upstream: apiserver plugin/pkg/authenticator/token/oidc/oidc.go.

import { Double, isError, type Value } from "@celadon/cel";
import { isList, isNativeStrings, toArray } from "@celadon/cel/values";
import { jsonType } from "@celadon/kube/types";
import { listOf, textOf } from "../configuration/values.ts";
import { type Claims, ClaimsValue, claimValue } from "./claims-value.ts";
import type { ClaimMapping } from "./configuration.ts";
import type { CompiledClaim } from "./expressions.ts";
import { idTokenProblem, issuerOf } from "./id-token.ts";
import type { CompiledAuthenticator, CompiledRule } from "./validate.ts";

/** A user as a token's claims make it. */
export interface ClaimedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** An expression that was evaluated for a token. */
export interface EvaluatedClaim extends CompiledClaim {
  readonly variables: Readonly<Record<string, Value>>;
  readonly value?: Value;
  /** The message when it could not be evaluated. */
  readonly error?: string;
  readonly cost: number;
}

/** The user of a token, or the problem, and every expression on the way. */
export interface ClaimsVerdict {
  readonly user?: ClaimedUser;
  readonly problem?: string;
  readonly evaluated: readonly EvaluatedClaim[];
}

/** Ends the way of a token; the text is the server's. */
class Rejected extends Error {}

const CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

/** Whether an authenticator is responsible for a token: it is of its issuer. */
export function isIssuerOf({ authenticator }: CompiledAuthenticator, claims: Claims): boolean {
  return issuerOf(claims) === textOf(authenticator.issuer?.url);
}

/** The user of a token of the authenticator's issuer at a time in seconds. The signature must have been verified. */
export function userOfClaims(compiled: CompiledAuthenticator, claims: Claims, now: number): ClaimsVerdict {
  const token = idTokenProblem(claims, compiled.authenticator.issuer ?? {}, now);
  if (token !== undefined) return { problem: `oidc: verify token: ${token}`, evaluated: [] };
  const way = new ClaimsWay(compiled, claims);
  try {
    return { user: way.user(), evaluated: way.evaluated };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return { problem: error.message, evaluated: way.evaluated };
  }
}

class ClaimsWay {
  readonly evaluated: EvaluatedClaim[] = [];
  readonly #compiled: CompiledAuthenticator;
  readonly #claims: Claims;
  readonly #variables: Readonly<Record<string, Value>>;

  constructor(compiled: CompiledAuthenticator, claims: Claims) {
    this.#compiled = compiled;
    this.#claims = claims;
    this.#variables = { claims: new ClaimsValue(claims) };
  }

  user(): ClaimedUser {
    const { claimRules, userRules, authenticator } = this.#compiled;
    const user = { username: this.#username(), groups: this.#groups(), uid: this.#uid(), extra: this.#extra() };
    for (const { claim, requiredValue } of listOf(authenticator.claimValidationRules)) {
      if (textOf(claim) !== "") this.#require(textOf(claim), textOf(requiredValue));
    }
    this.#rules(claimRules, this.#variables, "oidc: error evaluating claim validation expression: ");
    const { username, uid, groups, extra } = user;
    const seen = { username, uid, groups, extra: claimValue(extra) };
    this.#rules(userRules, { user: seen }, "oidc: error evaluating user info validation rule: ");
    return user;
  }

  #username(): string {
    const { username, authenticator } = this.#compiled;
    const where = "oidc: error evaluating username claim expression: ";
    if (username !== undefined) {
      const value = this.#evaluate(username, where);
      if (typeof value !== "string") throw new Rejected(`${where}username claim expression must return a string`);
      if (value === "") throw new Rejected("oidc: empty username via CEL expression is not allowed");
      return value;
    }
    const { claim, prefix }: ClaimMapping = authenticator.claimMappings?.username ?? {};
    const name = textOf(claim);
    const text = this.#textOf(name, `oidc: parse username claims "${name}": `);
    if (name === "email" && this.#has("email_verified")) {
      const verified = this.#claims.email_verified ?? false;
      if (typeof verified !== "boolean") {
        throw new Rejected(`oidc: parse 'email_verified' claim: ${wrongType(verified, "bool")}`);
      }
      if (!verified) throw new Rejected("oidc: email not verified");
    }
    return textOf(prefix) + text;
  }

  #groups(): readonly string[] {
    const { groups, authenticator } = this.#compiled;
    const { claim, prefix }: ClaimMapping = authenticator.claimMappings?.groups ?? {};
    const name = textOf(claim);
    if (name !== "" && this.#has(name)) {
      const value = this.#claims[name] ?? [];
      const list = typeof value === "string" ? [value] : value;
      const isTexts = Array.isArray(list) && list.every((entry) => entry === null || typeof entry === "string");
      if (!isTexts) throw new Rejected(`oidc: parse groups claim "${name}": ${wrongType(value, "string")}`);
      return list.map((group) => textOf(prefix) + textOf(group));
    }
    if (groups === undefined) return [];
    const where = "oidc: error evaluating group claim expression: ";
    return textsOf(this.#evaluate(groups, where), where);
  }

  #uid(): string {
    const { uid, authenticator } = this.#compiled;
    const name = textOf(authenticator.claimMappings?.uid?.claim);
    if (name !== "") return this.#textOf(name, `oidc: parse uid claim "${name}": `);
    if (uid === undefined) return "";
    const where = "oidc: error evaluating uid claim expression: ";
    const value = this.#evaluate(uid, where);
    if (typeof value !== "string") throw new Rejected(`${where}uid claim expression must return a string`);
    return value;
  }

  #extra(): Readonly<Record<string, readonly string[]>> {
    const extra: [string, readonly string[]][] = [];
    const { jti } = this.#claims;
    if (typeof jti === "string" && jti !== "") extra.push([CREDENTIAL_ID, [`JTI=${jti}`]]);
    const values = this.#compiled.extra.map(({ key, compiled }) => ({
      key,
      compiled,
      value: this.#evaluate(compiled, ""),
    }));
    for (const { key, compiled, value } of values) {
      const texts = textsOf(value, `oidc: error evaluating extra claim expression: ${compiled.text}: `);
      if (texts.length > 0) extra.push([key, texts]);
    }
    return Object.fromEntries(extra);
  }

  #require(name: string, wanted: string): void {
    if (!this.#has(name)) throw new Rejected(`oidc: required claim ${name} not present in ID token`);
    const value = this.#textOf(name, `oidc: parse claim ${name}: `);
    if (value === wanted) return;
    throw new Rejected(`oidc: required claim ${name} value does not match. Got = ${value}, want = ${wanted}`);
  }

  /** Every rule is evaluated before the first that is false counts. */
  #rules(rules: readonly CompiledRule[], variables: Readonly<Record<string, Value>>, where: string): void {
    const values = rules.map((rule) => this.#evaluate(rule, where, variables));
    const failed = rules.find((_, i) => values[i] !== true);
    if (failed !== undefined) {
      throw new Rejected(`${where}validation expression '${failed.text}' failed: ${failed.message}`);
    }
  }

  #evaluate(compiled: CompiledClaim, where: string, variables = this.#variables): Value {
    const { value, error, cost } = compiled.program.evaluate(variables);
    const { text } = compiled;
    this.evaluated.push({ ...compiled, variables, cost, ...(error ? { error: error.message } : { value }) });
    if (error === undefined && !isError(value)) return value;
    throw new Rejected(`${where}expression '${text}' resulted in error: ${error?.message}`);
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.#claims, name);
  }

  #textOf(name: string, where: string): string {
    if (!this.#has(name)) throw new Rejected(`${where}claim not present`);
    const value = this.#claims[name] ?? "";
    if (typeof value !== "string") throw new Rejected(`${where}${wrongType(value, "string")}`);
    return value;
  }
}

const NO_TEXTS = "expression must return a string or a list of strings";

/** The strings of a result, without empty ones. A list that the server holds as strings of Go is no list of strings to it. */
function textsOf(value: Value, where: string): readonly string[] {
  if (value === null) return [];
  if (typeof value === "string") return value === "" ? [] : [value];
  const texts = isList(value) && !isNativeStrings(value) ? toArray(value) : undefined;
  if (texts === undefined || !texts.every((text) => typeof text === "string"))
    throw new Rejected(`${where}${NO_TEXTS}`);
  return texts.filter((text) => text !== "");
}

function wrongType(value: unknown, wanted: string): string {
  const found = value instanceof Double ? "number" : jsonType(value);
  return `json: cannot unmarshal ${found} into Go value of type ${wanted}`;
}
