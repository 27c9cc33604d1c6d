// A kubeconfig: cluster, user, namespace. Several files are merged as kubectl does: the first value counts. Errors name
// the file; nothing here connects.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { isRecord, trimEndOf } from "@celadon/base";
import { readDocument } from "@celadon/kube/read";
import { type Connection, type Credentials, fixedCredentials, type Impersonation } from "./connection.ts";
import { type ExecConfig, execCredentials } from "./exec-credentials.ts";

/** The kubeconfig cannot be used; the message has the reason and the place. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

/** The kubeconfig, and its context. */
export interface KubeconfigOptions {
  /** A file; otherwise $KUBECONFIG, otherwise ~/.kube/config. */
  readonly path?: string;
  /** A context; otherwise the current one. */
  readonly context?: string;
  readonly namespace?: string;
  readonly impersonate?: Impersonation;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The connection that a kubeconfig describes. */
export async function connectionFromKubeconfig(options: KubeconfigOptions = {}): Promise<Connection> {
  const { env = process.env } = options;
  const files = options.path !== undefined ? [options.path] : defaultFiles(env);
  const parts = await Promise.all(files.map((file) => readConfig(file, options.path !== undefined)));
  const found = parts.filter((part) => part !== undefined);
  if (found.length === 0) {
    throw new KubeconfigError(
      `no kubeconfig: ${files.join(", ")} ${files.length === 1 ? "does" : "do"} not exist; name one with --kubeconfig or KUBECONFIG`,
    );
  }
  return connectionOf(found, options);
}

function defaultFiles(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const listed = (env.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  return listed.length > 0 ? listed : [join(env.HOME ?? homedir(), ".kube", "config")];
}

interface Named<T> {
  readonly name: string;
  readonly value: T;
}
type Data = Readonly<Record<string, unknown>>;

interface ConfigFile {
  readonly file: string;
  readonly currentContext: string;
  readonly contexts: readonly Named<Data>[];
  readonly clusters: readonly Named<Data>[];
  readonly users: readonly Named<Data>[];
}

async function readConfig(file: string, required: boolean): Promise<ConfigFile | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && !required) return undefined;
    const why =
      error.code === "ENOENT" ? "no such file" : error.code === "EACCES" ? "permission denied" : error.message;
    throw new KubeconfigError(`${file}: ${why}`);
  });
  if (text === undefined) return undefined;
  return parseConfig(file, text);
}

/** Its relative paths are relative to its directory. */
function parseConfig(file: string, text: string): ConfigFile {
  // As client-go reads it: the last of several equal keys counts.
  const read = readDocument(text, { file, duplicateKeys: "last" });
  if (!("value" in read)) {
    const [issue] = read;
    throw new KubeconfigError(`${file}:${issue?.line ?? 1}:${issue?.column ?? 1}: ${issue?.message ?? "not readable"}`);
  }
  const { value } = read;
  if (!isRecord(value)) throw new KubeconfigError(`${file}: not a kubeconfig: it is not an object`);
  const list = (key: string, member: string): readonly Named<Data>[] => {
    const entries = value[key];
    return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) =>
      isRecord(entry) && typeof entry.name === "string" && isRecord(entry[member])
        ? [{ name: entry.name, value: entry[member] as Data }]
        : [],
    );
  };
  const current = value["current-context"];
  return {
    file,
    currentContext: typeof current === "string" ? current : "",
    contexts: list("contexts", "context"),
    clusters: list("clusters", "cluster"),
    users: list("users", "user"),
  };
}

async function connectionOf(files: readonly ConfigFile[], options: KubeconfigOptions): Promise<Connection> {
  const where = files.map(({ file }) => file).join(", ");
  const name = options.context ?? files.find(({ currentContext }) => currentContext !== "")?.currentContext ?? "";
  if (name === "") throw new KubeconfigError(`${where}: no current context; choose one with --context`);
  const context = find(files, "contexts", name);
  if (context === undefined) {
    const names = files.flatMap(({ contexts }) => contexts.map((named) => named.name));
    throw new KubeconfigError(
      `${where}: no context "${name}"${names.length > 0 ? `; there are: ${names.join(", ")}` : ""}`,
    );
  }
  const cluster = find(files, "clusters", text(context.value, "cluster") ?? "");
  if (cluster === undefined)
    throw new KubeconfigError(
      `${where}: context "${name}" names cluster "${text(context.value, "cluster") ?? ""}", which does not exist`,
    );
  const server = text(cluster.value, "server");
  if (server === undefined)
    throw new KubeconfigError(`${cluster.file}: cluster "${text(context.value, "cluster")}" has no server`);
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server))
    throw new KubeconfigError(`${cluster.file}: server "${server}" is not an http or https URL`);
  const user = find(files, "users", text(context.value, "user") ?? "");
  const ca = await dataOrFile(cluster, "certificate-authority");
  const serverName = text(cluster.value, "tls-server-name");
  const impersonate = options.impersonate ?? (user && impersonationOf(user.value));
  return {
    server: trimEndOf(server, /\//),
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { serverName }),
    ...(cluster.value["insecure-skip-tls-verify"] === true && { insecureSkipVerify: true }),
    credentials: user === undefined ? fixedCredentials({}) : await credentialsOf(user),
    ...(impersonate !== undefined && { impersonate }),
    namespace: options.namespace ?? text(context.value, "namespace") ?? "default",
  };
}

interface Found {
  readonly file: string;
  readonly value: Data;
}

function find(files: readonly ConfigFile[], list: "contexts" | "clusters" | "users", name: string): Found | undefined {
  for (const config of files) {
    const entry = config[list].find((named) => named.name === name);
    if (entry !== undefined) return { file: config.file, value: entry.value };
  }
  return undefined;
}

async function credentialsOf(user: Found): Promise<Credentials> {
  const { value, file } = user;
  if (isRecord(value.exec)) return execCredentials(value.exec as unknown as ExecConfig, dirname(file));
  if (isRecord(value["auth-provider"])) {
    throw new KubeconfigError(
      `${file}: auth-provider is no longer supported by Kubernetes; use an exec credential plugin`,
    );
  }
  const [cert, key] = [await dataOrFile(user, "client-certificate"), await dataOrFile(user, "client-key")];
  const certificate = cert !== undefined && key !== undefined ? { certificate: { cert, key } } : {};
  const token = text(value, "token");
  const tokenFile = text(value, "tokenFile");
  if (tokenFile !== undefined) return fileToken(resolve(dirname(file), tokenFile), certificate);
  const [username, password] = [text(value, "username"), text(value, "password")];
  const authorization =
    token !== undefined
      ? `Bearer ${token}`
      : username !== undefined
        ? `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}`
        : undefined;
  return fixedCredentials({ ...certificate, ...(authorization !== undefined && { authorization }) });
}

/** Read for each request: the file is small, and replaced while programs run. */
function fileToken(path: string, certificate: object): Credentials {
  return {
    current: async () => ({ ...certificate, authorization: `Bearer ${(await readFile(path, "utf8")).trim()}` }),
    rejected: () => {},
  };
}

/** `NAME-data` in base64 counts before the file that NAME names. */
async function dataOrFile({ file, value }: Found, name: string): Promise<string | undefined> {
  const data = text(value, `${name}-data`);
  if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
  const path = text(value, name);
  if (path === undefined) return undefined;
  const full = resolve(dirname(file), path);
  return readFile(full, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new KubeconfigError(`${file}: ${name} ${full} cannot be read: ${error.code ?? error.message}`);
  });
}

function impersonationOf(user: Data): Impersonation | undefined {
  const name = text(user, "as");
  if (name === undefined) return undefined;
  const groups = user["as-groups"];
  const uid = text(user, "as-uid");
  return {
    user: name,
    ...(Array.isArray(groups) && { groups: groups.map(String) }),
    ...(uid !== undefined && { uid }),
  };
}

function text(value: Data, key: string): string | undefined {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === "string" && found !== "" ? found : undefined;
}
