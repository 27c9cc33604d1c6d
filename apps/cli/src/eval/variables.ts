// The variables of `eval`, from files and flags. A request that no file gives is made as the API server would make it.

import { requestValue } from "@celadon/admission";
import { createRbacAuthorizer } from "@celadon/admission/memory";
import { Double } from "@celadon/cel";
import type { KubeObject } from "@celadon/kube";
import { readDocuments, readIssueText } from "@celadon/kube/read";
import { AuthorizerValue, type Decision } from "@celadon/kube-cel";
import { ADMINISTRATOR, type BuiltRequest, requestOf, World } from "@celadon/simulator";
import type { Args } from "../command.ts";
import { UsageError } from "../exit.ts";
import { loadInputs } from "../inputs.ts";
import type { Io } from "../io.ts";
import { decodeSource, FILE_BYTES } from "../sources/decode.ts";
import { SourceText } from "../sources/source-text.ts";

const FILES: Readonly<Record<string, string>> = {
  object: "object",
  "old-object": "oldObject",
  params: "params",
  request: "request",
  "namespace-object": "namespaceObject",
};

export async function variablesOf(args: Args, io: Io): Promise<Record<string, unknown>> {
  const variables: Record<string, unknown> = {};
  for (const [flag, name] of Object.entries(FILES)) {
    const file = args.text(flag);
    if (file !== undefined) variables[name] = readOne(await readTextFile(file, io), file);
  }
  for (const text of args.list("var")) {
    const cut = text.indexOf("=");
    const name = text.slice(0, Math.max(cut, 0));
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new UsageError(`--var "${text}" is not NAME=JSON`, `such as --var 'self={"min":1}'`);
    }
    variables[name] = readOne(text.slice(cut + 1), `--var ${name}`);
  }
  const made = madeRequest(args, variables);
  if (made !== undefined) variables.request ??= requestValue(made.request, made.request.resource, made.request.kind);
  return { ...variables, ...(await authorizerOf(args, io, made)) };
}

function userOf(args: Args): typeof ADMINISTRATOR {
  const username = args.text("as");
  if (username === undefined) return ADMINISTRATOR;
  return { username, groups: [...args.list("as-group"), "system:authenticated"] };
}

/** What an API server would make of the object; nothing without one. */
function madeRequest(args: Args, variables: Readonly<Record<string, unknown>>): BuiltRequest | undefined {
  const [object, oldObject] = [variables.object, variables.oldObject].map(objectOf);
  if (object === undefined && oldObject === undefined) return undefined;
  const ask = { ...(object && { object }), ...(oldObject && { oldObject }), user: userOf(args) };
  return requestOf(ask, World.of([]).resources);
}

function objectOf(value: unknown): KubeObject | undefined {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, "kind");
  return isObject ? (value as KubeObject) : undefined;
}

async function authorizerOf(args: Args, io: Io, made: BuiltRequest | undefined): Promise<Record<string, unknown>> {
  const paths = args.list("rbac");
  if (paths.length === 0) return {};
  const { manifests } = await loadInputs(paths, "eval", args, io);
  const rbac = createRbacAuthorizer(manifests.map(({ object }) => object));
  const { username = "", groups = [] } = userOf(args);
  // RBAC from manifests answers at once.
  const authorize = (asked: Parameters<typeof rbac.authorize>[0]): Decision => rbac.authorize(asked) as Decision;
  const authorizer = new AuthorizerValue({ name: username, groups: [...groups] }, { authorize });
  if (made === undefined) return { authorizer };
  const { resource, name = "", namespace = "" } = made.request;
  const asked = { group: resource.group, resource: resource.resource, name, namespace };
  return { authorizer, "authorizer.requestResource": authorizer.forResource(asked) };
}

export async function readTextFile(file: string, io: Io): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? await io.stdin(FILE_BYTES) : await io.files.read(file);
  } catch (error) {
    throw new UsageError(`cannot read "${file}": ${error instanceof Error ? error.message : String(error)}`);
  }
  const source = decodeSource(file, bytes);
  if (source instanceof SourceText) return source.text;
  throw new UsageError(`${file}: ${source.message}`, source.hint);
}

function readOne(text: string, file: string): unknown {
  const { documents, issues } = readDocuments(text, { file, foldYamlDoubles: true, double: (n) => new Double(n) });
  if (issues.length > 0) throw new UsageError(issues.map(readIssueText).join("\n"));
  if (documents.length !== 1) throw new UsageError(`${file}: one document is wanted, found ${documents.length}`);
  return documents[0]!.value;
}
