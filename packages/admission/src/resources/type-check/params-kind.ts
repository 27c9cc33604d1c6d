// The schema of a policy's params.

import { parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { ParamKind } from "../../policy.ts";
import { answerOf } from "./answer-of.ts";
import type { TypeSource } from "./kinds-to-check.ts";
import { publishedSchema } from "./published-schema.ts";
import type { TypedKind } from "./typed-environment.ts";

/** Undefined without params; an unknown kind has no schema. */
export async function paramsOf(paramKind: ParamKind | undefined, source: TypeSource): Promise<TypedKind | undefined> {
  if (paramKind === undefined) return undefined;
  const { apiVersion = "", kind = "" } = paramKind;
  const gv = parseGroupVersion(apiVersion);
  if (gv instanceof Invalid) return undefined;
  const schema = await answerOf(() => source.schema({ ...gv, kind }));
  return { kind, schema: schema && publishedSchema(schema) };
}
