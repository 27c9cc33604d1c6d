// The variables of `eval`, from files and flags. A request that no file gives is made as the API server would make it.

import { requestValue } from "@celadon/admission";
import { createRbacAuthorizer } from "@celadon/admission/memory";
import type { KubeObject } from "@celadon/kube";
import { type AuthorizerDecision, AuthorizerValue } from "@celadon/kube-cel";
import { ADMINISTRATOR, type BuiltRequest, impersonated, requestOf, SimulatedCluster } from "@celadon/simulator";
import { loadInputs } from "../inputs/inputs.ts";
import { readOne, readText } from "../inputs/value-file.ts";
import type { Args } from "../program/command.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import { STDIN } from "../sources/issue.ts";
import { SourceText } from "../sources/source-text.ts";

const FILES = [
  ["object", "object"],
  ["old-object", "oldObject"],
  ["params", "params"],
  ["request", "request"],
  ["namespace-object", "namespaceObject"],
] as const;

type FileFlag = (typeof FILES)[number][0];

/** Standard input can be read only once: a second reader would get nothing. */
export function refuseSharedStdin(args: Args<FileFlag>, expression: string): void {
  const flags = FILES.map(([flag]) => flag).filter((flag) => args.text(flag) === STDIN);
  const readers = [...(expression === STDIN ? ["the expression"] : []), ...flags.map((flag) => `--${flag}`)];
  if (readers.length > 1) throw new UsageError(`standard input cannot be used for both ${readers.join(" and ")}`);
}

export async function variablesOf(
  args: Args<FileFlag | "as" | "as-group" | "color" | "quiet" | "rbac" | "var">,
  io: Io,
): Promise<Record<string, unknown>> {
  const variables: Record<string, unknown> = {};
  for (const [flag, name] of FILES) {
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
  const givesRequest = variables.request !== undefined;
  const made = madeRequest(args, variables);
  const unused = unusedUser(args, givesRequest, made !== undefined);
  if (unused !== undefined && !args.on("quiet")) io.err.write(`note: ${unused}\n`);
  if (made !== undefined) variables.request ??= requestValue(made.request, made.request.resource, made.request.kind);
  return { ...variables, ...(await authorizerOf(args, io, made)) };
}

function userOf(args: Args<"as" | "as-group">): typeof ADMINISTRATOR {
  const username = args.text("as");
  return username === undefined ? ADMINISTRATOR : impersonated(username, args.list("as-group"));
}

/** A user is part of a request and of the authorizer; where neither is made, nothing has been impersonated. */
function unusedUser(args: Args<"as" | "as-group" | "rbac">, hasRequest: boolean, isMade: boolean): string | undefined {
  const flags = [
    ...(args.text("as") === undefined ? [] : ["--as"]),
    ...(args.list("as-group").length > 0 ? ["--as-group"] : []),
  ];
  if (flags.length === 0 || args.list("rbac").length > 0) return undefined;
  const unused = `${flags.join(" and ")} ${flags.length === 1 ? "is" : "are"} not used`;
  if (hasRequest) return `${unused}: --request already has a user`;
  return isMade ? undefined : `${unused}: without --object there is no request that the user could make`;
}

/** The request that an API server would make of the object; nothing without one. */
function madeRequest(
  args: Args<"as" | "as-group">,
  variables: Readonly<Record<string, unknown>>,
): BuiltRequest | undefined {
  const [object, oldObject] = [variables.object, variables.oldObject].map(objectOf);
  if (object === undefined && oldObject === undefined) return undefined;
  const ask = { ...(object && { object }), ...(oldObject && { oldObject }), user: userOf(args) };
  return requestOf(ask, SimulatedCluster.of([]).resources);
}

function objectOf(value: unknown): KubeObject | undefined {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, "kind");
  return isObject ? (value as KubeObject) : undefined;
}

async function authorizerOf(
  args: Args<"as" | "as-group" | "color" | "quiet" | "rbac">,
  io: Io,
  made: BuiltRequest | undefined,
): Promise<Record<string, unknown>> {
  const paths = args.list("rbac");
  if (paths.length === 0) return {};
  const { manifests } = await loadInputs(paths, "eval", args, io);
  const rbac = createRbacAuthorizer(manifests.map(({ object }) => object));
  const { username = "", groups = [] } = userOf(args);
  // RBAC from manifests answers at once.
  const authorize = (asked: Parameters<typeof rbac.authorize>[0]): AuthorizerDecision =>
    rbac.authorize(asked) as AuthorizerDecision;
  const authorizer = new AuthorizerValue({ name: username, groups: [...groups] }, { authorize });
  if (made === undefined) return { authorizer };
  const { resource, name = "", namespace = "" } = made.request;
  const asked = { group: resource.group, resource: resource.resource, name, namespace };
  return { authorizer, "authorizer.requestResource": authorizer.forResource(asked) };
}
