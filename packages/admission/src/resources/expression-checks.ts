// Compiling the expressions of a policy being written: the environment its field has, and the errors in the API server's words. A stored
// expression may use everything that was ever allowed; a new one only what the compatibility version has.

import { ANY, BOOL, NULL, STRING, type Type } from "@celadon/cel";
import { type FieldError, type FieldPath, internalFieldError, invalidValue } from "@celadon/kube/errors";
import { type Emulation, emulationOf } from "@celadon/kube/versions";
import type { EnvironmentMode, Minor } from "@celadon/kube-cel";
import type { Declared } from "../compile/environments.ts";
import { PolicyCompiler } from "../compile/policy-compiler.ts";

/** The types an expression may have, by its use. */
export const EXPRESSION_TYPES: Readonly<Record<"condition" | "message" | "annotation" | "variable", readonly Type[]>> =
  {
    condition: [BOOL],
    message: [STRING],
    annotation: [STRING, NULL],
    variable: [ANY],
  };

export interface ExpressionField {
  /** The compiled text. */
  readonly text: string;
  /** The text that the error shows, where it is not the same. */
  readonly shown?: string;
  /** The text of the field, where white space around it is not compiled. */
  readonly written?: string;
  readonly path: FieldPath;
  readonly returnTypes: readonly Type[];
  readonly mode: EnvironmentMode;
  readonly authorizer: boolean;
  /** Whether it may write patches. */
  readonly patches?: boolean;
}

/** Options for checking expressions. */
export interface CheckingOptions {
  /** The version of the API server, with default flags; the current one if absent. */
  readonly kubeVersion?: Minor;
  /**
   * The compiler of expressions; one of its own when absent. With the compiler of a policy set, checked expressions are not compiled again.
   */
  readonly compiler?: PolicyCompiler;
}

/** Checks expression after expression of one policy; variables become known as they are checked. */
export class ExpressionChecks {
  readonly #params: boolean;
  /** A validating policy without variables has no `variables` at all. */
  readonly #composed: boolean;
  readonly #kubeVersion: Minor | undefined;
  /** The server whose words errors of names have. */
  readonly by: Emulation;
  readonly #compiler: PolicyCompiler;
  readonly #types = new Map<string, Type | undefined>();

  constructor(params: boolean, composed: boolean, { kubeVersion, compiler }: CheckingOptions = {}) {
    this.#params = params;
    this.#composed = composed;
    this.#kubeVersion = kubeVersion;
    this.by = emulationOf(kubeVersion);
    this.#compiler = compiler ?? new PolicyCompiler();
  }

  /** `variables` is left out where the field does not have it. */
  check(field: ExpressionField, variables = true): FieldError[] {
    return this.#compile(field, variables).errors;
  }

  /** A variable that does not compile is dyn to those after it. */
  addVariable(name: string, field: ExpressionField): FieldError[] {
    const { errors, type } = this.#compile(field, true);
    this.#types.set(name, type);
    return errors;
  }

  #compile(field: ExpressionField, variables: boolean): { errors: FieldError[]; type: Type | undefined } {
    const { text, path, returnTypes, mode, authorizer, patches = false } = field;
    const composed = variables && this.#composed;
    const declared: Declared = {
      params: this.#params,
      authorizer,
      variables: composed,
      patches,
      mode,
      kubeVersion: this.#kubeVersion,
    };
    const compiled = this.#compiler.expression(declared, composed ? this.#types : NONE, text, returnTypes);
    if (compiled.ok) return { errors: [], type: compiled.checked.type };
    const error =
      compiled.kind === "internal"
        ? internalFieldError(path, compiled.message)
        : invalidValue(path, field.shown ?? text, compiled.message);
    const { issues } = compiled;
    const offset = Math.max(0, (field.written ?? text).indexOf(text));
    return { errors: [{ ...error, expression: { steps: path.steps, text, offset, issues } }], type: undefined };
  }
}

const NONE: ReadonlyMap<string, Type | undefined> = new Map();
