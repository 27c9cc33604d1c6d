// The expressions of an authenticator: over `claims`, a map of anything, or over `user`. Both may use whatever was ever allowed. Upstream:
// apiserver pkg/authentication/cel/compile.go.

import type { JsonPath } from "@celadon/base";
import { ANY, BOOL, type Env, listOf, mapOf, type Program, STRING } from "@celadon/cel";
import { type FieldError, type FieldPath, internalFieldError, invalidValue } from "@celadon/kube/errors";
import { CURRENT, type Minor } from "@celadon/kube/versions";
import { compileExpression } from "../compile.ts";
import { declaredType, declaredTypes } from "../declared-type.ts";
import { kubeEnv } from "../environment.ts";

/** The subject of an expression, which is also the name of its variable. */
export type ExpressionSubject = "claims" | "user";

/** An accepted expression. */
export interface CompiledClaim {
  readonly text: string;
  /** Steps to the expression in the configuration. */
  readonly path: JsonPath;
  readonly program: Program;
}

/** A compiled expression, or the error of its field. */
export type ClaimCompilation =
  | { readonly compiled: CompiledClaim; readonly error?: undefined }
  | { readonly compiled?: undefined; readonly error: FieldError };

const STRINGS = listOf(STRING);

const userType = declaredType("kubernetes.UserInfo", {
  username: STRING,
  uid: STRING,
  groups: STRINGS,
  extra: mapOf(STRING, STRINGS),
});

const environments = new Map<string, Env>();

/** The environment of expressions about claims, or about the user made of them. */
export function authenticationEnvironment(subject: ExpressionSubject, minor: Minor = CURRENT): Env {
  const key = `${subject} ${minor}`;
  let env = environments.get(key);
  if (env === undefined) {
    env =
      subject === "claims"
        ? (kubeEnv({ server: minor, variables: { claims: mapOf(STRING, ANY) } }) as Env)
        : (kubeEnv({
            server: minor,
            variables: { user: userType.type },
            provider: declaredTypes([userType]),
          }) as Env);
    environments.set(key, env);
  }
  return env;
}

/** Compiles an expression. A rule's result must be a bool; a mapping's may be anything until it is evaluated. */
export function compileClaim(
  subject: ExpressionSubject,
  text: string,
  path: FieldPath,
  isRule: boolean,
  minor?: Minor,
): ClaimCompilation {
  const compiled = compileExpression(authenticationEnvironment(subject, minor), text);
  if (!compiled.ok) {
    const error =
      compiled.kind === "internal"
        ? internalFieldError(path, compiled.message)
        : invalidValue(path, text, compiled.message);
    return { error: { ...error, expression: { steps: path.steps, text, offset: 0, issues: compiled.issues } } };
  }
  const { type } = compiled.checked;
  if (isRule && String(type) !== String(BOOL)) {
    const message = "must evaluate to bool";
    const issues = [{ code: "wrong_result_type", message, kinds: [type.kind] }];
    return {
      error: { ...invalidValue(path, text, message), expression: { steps: path.steps, text, offset: 0, issues } },
    };
  }
  return { compiled: { text, path: path.steps, program: compiled.program } };
}
