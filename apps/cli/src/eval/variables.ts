// The variables of `eval`, from files and flags. A request that no file gives is made as the API server would make it.

import { requestValue } from "@celadon/admission";
import { createRbacAuthorizer } from "@celadon/admission/memory";
import { Double } from "@celadon/cel";
import type { KubeObject } from "@celadon/kube";
import { readDocuments } from "@celadon/kube/read";
import { AuthorizerValue, type Decision } from "@celadon/kube-cel";
import { ADMINISTRATOR, type BuiltRequest, impersonated, requestOf, World } from "@celadon/simulator";
import type { Args } from "../command.ts";
import { UsageError } from "../exit.ts";
import { badInput, loadInputs } from "../inputs.ts";
import type { Io } from "../io.ts";
import { decodeSource, FILE_BYTES } from "../sources/decode.ts";
import { readFailure } from "../sources/find.ts";
import { placedIssue, STDIN } from "../sources/issue.ts";
import { SourceText } from "../sources/source-text.ts";

const FILES: Readonly<Record<string, string>> = {
  object: "object",
  "old-object": "oldObject",
  params: "params",
  request: "request",
  "namespace-object": "namespaceObject",
};

/** Standard input is one thing: what is read from it second would be empty. */
export function refuseSharedStdin(args: Args, expression: string): void {
  const flags = Object.keys(FILES).filter((flag) => args.text(flag) === STDIN);
  const readers = [...(expression === STDIN ? ["the expression"] : []), ...flags.map((flag) => `--${flag}`)];
  if (readers.length > 1) throw new UsageError(`standard input is wanted for ${readers.join(" and for ")}`);
}

export async function variablesOf(args: Args, io: Io): Promise<Record<string, unknown>> {
  const variables: Record<string, unknown> = {};
  for (const [flag, name] of Object.entries(FILES)) {
    const file = args.text(flag);
    if (file !== undefined) variables[name] = readOne(await readText(file, io, args), io, args);
  }
  for (const text of args.list("var")) {
    const cut = text.indexOf("=");
    const name = text.slice(0, Math.max(cut, 0));
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new UsageError(`--var "${text}" is not NAME=JSON`, `such as --var 'self={"min":1}'`);
    }
    variables[name] = readOne(new SourceText(`--var ${name}`, text.slice(cut + 1)), io, args);
  }
  const made = madeRequest(args, variables);
  if (made !== undefined) variables.request ??= requestValue(made.request, made.request.resource, made.request.kind);
  return { ...variables, ...(await authorizerOf(args, io, made)) };
}

function userOf(args: Args): typeof ADMINISTRATOR {
  const username = args.text("as");
  return username === undefined ? ADMINISTRATOR : impersonated(username, args.list("as-group"));
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

/** The text of a file or of standard input. Throws UsageError, with what is wrong said on stderr. */
export async function readTextFile(file: string, io: Io, args?: Args): Promise<string> {
  return (await readText(file, io, args)).text;
}

async function readText(file: string, io: Io, args: Args | undefined): Promise<SourceText> {
  let bytes: Uint8Array;
  try {
    bytes = file === STDIN ? await io.stdin(FILE_BYTES) : await io.files.read(file);
  } catch (error) {
    if (io.signal.aborted) throw error;
    throw badInput([{ code: "unreadable", file, message: readFailure(error) }], io, args);
  }
  const source = decodeSource(file, bytes);
  if (source instanceof SourceText) return source;
  throw badInput([source], io, args);
}

function readOne(source: SourceText, io: Io, args: Args): unknown {
  const { text, file } = source;
  const { documents, issues } = readDocuments(text, { file, foldYamlDoubles: true, double: (n) => new Double(n) });
  if (issues.length > 0) {
    const found = issues.map((issue) => placedIssue("syntax", issue, source.lineText(issue.line), issue.message));
    throw badInput(found, io, args);
  }
  if (documents.length === 1) return documents[0]!.value;
  const message = documents.length === 0 ? "is empty" : `one document is wanted, found ${documents.length}`;
  throw badInput([{ code: "empty", file, message }], io, args);
}
