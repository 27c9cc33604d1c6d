// The environment expressions are type checked in: `object`, `oldObject` and `params` have the types of their kinds, everything
// else is as at evaluation, but `authorizer.requestResource` is not declared, as upstream.

import { DYN, type Env, type Issue, type StructType, struct, type Type } from "@celadon/cel";
import { composeProviders, type Range, type SizeEstimator, type TypeProvider } from "@celadon/cel/extend";
import type { Schema } from "@celadon/kube";
import {
  admissionTypes,
  admissionVariables,
  kubeEnv,
  type Minor,
  serverOptions,
  variablesType,
} from "@celadon/kube-cel";
import {
  createSchemaProvider,
  createSizeEstimator,
  type DeclType,
  declareType,
  fromKubeSchema,
} from "@celadon/kube-cel/schema";
import type { Variable } from "../policy.ts";

export interface TypedKinds {
  /** Of `object` and `oldObject`. */
  readonly object: TypedKind;
  /** Undefined when the policy has no params; a kind without a schema is dyn. */
  readonly params: TypedKind | undefined;
}

export interface TypedKind {
  readonly kind: string;
  readonly schema: Schema | undefined;
}

export interface TypeIssues {
  readonly issues: readonly Issue[];
  /** As they are shown. */
  readonly text: string;
}

/** Checks expressions of a policy for one kind of object. */
export class TypedEnvironment {
  readonly #env: Env;
  readonly #sizes: SizeEstimator;
  readonly #variables = new Map<string, Type | undefined>();
  #variablesType: StructType = variablesType(new Map());

  constructor({ object, params }: TypedKinds, kubeVersion?: Minor) {
    const declaredObject = declare(object, object.kind);
    // Two kinds may have one name.
    const declaredParams =
      params && declare(params, params.kind === object.kind ? `${params.kind}Params` : params.kind);
    const roots = [declaredObject, declaredParams].filter((one) => one !== undefined);
    this.#sizes = sizesOf({ object: declaredObject, oldObject: declaredObject, params: declaredParams });
    const { "authorizer.requestResource": _, ...variables } = admissionVariables({
      params: params !== undefined,
      authorizer: true,
    });
    const objectType = declaredObject?.type ?? DYN;
    const server = kubeVersion && serverOptions(kubeVersion, "storedExpressions");
    this.#env = kubeEnv({
      ...(server ? server.environment : { mode: "storedExpressions" }),
      provider: composeProviders(
        this.#ownTypes(),
        createSchemaProvider(
          Object.fromEntries(roots.map((one) => [one.type.name, one])),
          server && { keywordFields: server.keywordFields },
        ),
      ),
      variables: {
        ...variables,
        object: objectType,
        oldObject: objectType,
        ...(params && { params: declaredParams?.type ?? DYN }),
        variables: struct("kubernetes.variables"),
      },
    });
  }

  /** One that is wrong is dyn, and nobody is told here. */
  addVariables(variables: readonly Variable[]): void {
    for (const { name, expression } of variables) this.addVariable(name, expression);
  }

  addVariable(name: string, expression: string): TypeIssues | undefined {
    const { type, wrong } = this.#check(expression);
    this.#variables.set(name, type);
    this.#variablesType = variablesType(this.#variables);
    return wrong;
  }

  /** What is wrong with an expression, whatever type it has; undefined when nothing is. */
  check(expression: string): TypeIssues | undefined {
    return this.#check(expression).wrong;
  }

  /** What an expression may cost with the sizes the schemas allow; undefined when it is wrong. */
  estimate(text: string): Range | undefined {
    const read = this.#env.checkText(text);
    return read.ok ? this.#env.estimate(read.checked, { sizes: this.#sizes }) : undefined;
  }

  #check(text: string): { type: Type | undefined; wrong: TypeIssues | undefined } {
    const read = this.#env.checkText(text);
    if (read.ok) return { type: read.checked.type, wrong: undefined };
    return { type: undefined, wrong: { issues: read.issues, text: String(read) } };
  }

  #ownTypes(): TypeProvider {
    return {
      findStruct: (name) => (name === "kubernetes.variables" ? this.#variablesType : admissionTypes.findStruct(name)),
      findIdent: (name) => admissionTypes.findIdent(name),
      hasPrefix: (first) => first === "kubernetes",
    };
  }
}

/** By the variable a path starts with; of everything else no size is known. */
function sizesOf(roots: Readonly<Record<string, DeclType | undefined>>): SizeEstimator {
  const known = new Map(
    Object.entries(roots).flatMap(([name, type]) => (type ? [[name, createSizeEstimator(type)]] : [])),
  );
  return { size: (node) => known.get(node.path[0] ?? "")?.size(node) };
}

function declare({ schema }: TypedKind, name: string): DeclType | undefined {
  return schema && declareType(fromKubeSchema(schema), name, { resource: true });
}
