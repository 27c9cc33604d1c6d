// The environment expressions are type checked in: `object`, `oldObject` and `params` have the types of their kinds, everything
// else is as at evaluation, but `authorizer.requestResource` is not declared, as upstream.

import { DYN, type Env, type Issue, struct, type Type } from "@celadon/cel";
import type { Range, SizeEstimator } from "@celadon/cel/cost";
import { composeProviders, type StructType, type TypeProvider } from "@celadon/cel/types";
import type { Schema } from "@celadon/kube/schemas";
import {
  admissionTypes,
  admissionVariables,
  kubeEnv,
  type Minor,
  mutationTypes,
  serverOptions,
  variablesType,
} from "@celadon/kube-cel";
import { jsonPatchLibrary } from "@celadon/kube-cel/library";
import {
  createSchemaProvider,
  createSizeEstimator,
  type DeclType,
  declareType,
  fromKubeSchema,
} from "@celadon/kube-cel/schema";
import type { Variable } from "../../policy.ts";

export interface TypedKinds {
  /** The types of `object` and `oldObject`. */
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
  /** The type names as they are shown. */
  readonly text: string;
}

/** Checks expressions of a policy for one kind of object. */
export class TypedEnvironment {
  readonly #make: (patches: boolean) => Env;
  readonly #env: Env;
  /** The environment for patches. */
  #patchEnv: Env | undefined;
  readonly #sizes: SizeEstimator;
  readonly #variables = new Map<string, Type | undefined>();
  readonly #variablesType: StructType = variablesType(this.#variables);

  constructor({ object, params }: TypedKinds, kubeVersion?: Minor) {
    const declaredObject = declare(object, object.kind);
    // Two kinds may have one name.
    const declaredParams =
      params && declare(params, params.kind === object.kind ? `${params.kind}Params` : params.kind);
    const roots = [declaredObject, declaredParams].filter((declType) => declType !== undefined);
    this.#sizes = sizesOf({ object: declaredObject, oldObject: declaredObject, params: declaredParams });
    const { "authorizer.requestResource": _, ...variables } = admissionVariables({
      params: params !== undefined,
      authorizer: true,
    });
    const objectType = declaredObject?.type ?? DYN;
    const server = kubeVersion && serverOptions(kubeVersion, "storedExpressions");
    const provider = composeProviders(
      this.#ownTypes(),
      createSchemaProvider(
        Object.fromEntries(roots.map((root) => [root.type.name, root])),
        server && { keywordFields: server.keywordFields },
      ),
    );
    this.#make = (patches) =>
      kubeEnv({
        ...(server ? server.environment : { mode: "storedExpressions" }),
        ...(patches
          ? { provider: composeProviders(mutationTypes, provider), engine: { libraries: [jsonPatchLibrary] } }
          : { provider }),
        variables: {
          ...variables,
          object: objectType,
          oldObject: objectType,
          ...(params && { params: declaredParams?.type ?? DYN }),
          variables: struct("kubernetes.variables"),
        },
      });
    this.#env = this.#make(false);
  }

  #envOf(patches: boolean): Env {
    if (!patches) return this.#env;
    this.#patchEnv ??= this.#make(true);
    return this.#patchEnv;
  }

  /** An invalid one is dyn, without an error here. */
  addVariables(variables: readonly Variable[]): void {
    for (const { name, expression } of variables) this.addVariable(name, expression);
  }

  addVariable(name: string, expression: string): TypeIssues | undefined {
    const { type, wrong } = this.#check(expression);
    this.#variables.set(name, type);
    return wrong;
  }

  /** Checks an expression of any type; undefined when it is right. */
  check(expression: string, patches = false): TypeIssues | undefined {
    return this.#check(expression, patches).wrong;
  }

  /** Estimates the cost of an expression with the sizes that the schemas allow; undefined when it is wrong. */
  estimate(text: string, patches = false): Range | undefined {
    const env = this.#envOf(patches);
    const read = env.checkText(text);
    return read.ok ? env.estimate(read.checked, { sizes: this.#sizes }) : undefined;
  }

  #check(text: string, patches = false): { type: Type | undefined; wrong: TypeIssues | undefined } {
    const read = this.#envOf(patches).checkText(text);
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
