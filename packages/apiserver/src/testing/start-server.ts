// Starts a server for one test or one file of tests.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UserInfo } from "@celadon/admission";
import type { Gates } from "@celadon/admission/proposals";
import type { KubeObject } from "@celadon/kube";
import { readDocuments, readIssueText } from "@celadon/kube/read";
import { type Minor, requireMinor } from "@celadon/kube/versions";
import { openMemory } from "@celadon/storage/memory";
import type { StaticDirectories } from "../admission/static-manifests.ts";
import { applyObjects } from "../client/apply.ts";
import { LocalClient } from "../client/local-client.ts";
import { ADMINISTRATOR, type LaunchedServer, launch } from "../launch.ts";

/** Options for a server for tests. */
export interface StartOptions {
  /** The version of Kubernetes to emulate: `1.32`. Default: the newest. */
  readonly kubeVersion?: Minor;
  /** Applied at the start, and again by `reset`. */
  readonly manifests?: Manifests;
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** Everybody may do everything, or roles and bindings decide (the default). */
  readonly authorization?: "RBAC" | "AlwaysAllow";
  /** Users by their bearer token. */
  readonly tokens?: Readonly<Record<string, UserInfo>>;
  /** Directories of policies and webhooks that are in force from the start and cannot be changed through the API, by plugin. */
  readonly staticManifests?: StaticDirectories;
  /** Ideas of the proposals that are on; all are off by default. */
  readonly gates?: Gates;
  /** Stand-ins for nodes, scheduler, kubelets and the controllers of workloads: pods become ready, without containers. Default: false. */
  readonly simulate?: boolean;
  /** Controllers that are not started, by name. */
  readonly withoutControllers?: readonly string[];
}

/** YAML or JSON with any number of documents, or objects. */
export type Manifests = string | KubeObject | readonly (string | KubeObject)[];

/** A server for tests, and what to do with it. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** The text of a kubeconfig for an administrator. */
  readonly kubeconfig: string;
  /** The same in a file, for programs that read KUBECONFIG; removed by `close`. */
  readonly kubeconfigFile: string;
  readonly caCertificate: string;
  /** Calls inside the process, as the administrator. */
  readonly client: LocalClient;
  /** Calls as another user. */
  as(username: string, groups?: readonly string[]): LocalClient;
  /** Applies manifests; throws when one is refused. */
  apply(manifests: Manifests): Promise<void>;
  /** A server as it was after the start; watches end, and a client that resumes one has to list again. The address and the credentials stay. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an API server for tests, in this process and in memory. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const { manifests, ...rest } = options;
  if (rest.kubeVersion !== undefined) requireMinor(rest.kubeVersion);
  let running: LaunchedServer = await launch({ ...rest, store: await openMemory() });
  const client = (username: string, groups: readonly string[]): LocalClient =>
    new LocalClient({ serve: (call) => running.server.serve(call) }, { username, groups });
  const admin = client(ADMINISTRATOR.username, ADMINISTRATOR.groups);
  let directory: string | undefined;
  const apply = async (given: Manifests): Promise<void> => {
    const outcomes = await applyObjects(admin, running.server.kinds, objectsOf(given), { fieldManager: "test" });
    const failed = outcomes.find(({ outcome }) => outcome === "failed");
    if (failed !== undefined) {
      throw new Error(`${failed.object.kind} ${failed.object.metadata?.name ?? ""}: ${failed.status?.message ?? ""}`);
    }
  };
  if (manifests !== undefined) await apply(manifests);
  return {
    url: running.url,
    port: running.port,
    kubeconfig: running.kubeconfig,
    get kubeconfigFile() {
      directory ??= mkdtempSync(join(tmpdir(), "celadon-"));
      const file = join(directory, "kubeconfig");
      writeFileSync(file, running.kubeconfig, { mode: 0o600 });
      return file;
    },
    caCertificate: running.caCertificate,
    client: admin,
    as: (username, groups = []) => client(username, groups),
    apply,
    async reset() {
      // Later than anything a client has seen, so that clients that resume a watch have to list again.
      const revision = running.server.objects.feed.revision + 1_000;
      running = await running.renew(await openMemory({ revision }));
      if (manifests !== undefined) await apply(manifests);
    },
    async close() {
      await running.close();
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function objectsOf(manifests: Manifests): readonly KubeObject[] {
  const list = Array.isArray(manifests)
    ? (manifests as readonly (string | KubeObject)[])
    : [manifests as string | KubeObject];
  return list.flatMap((item) => (typeof item === "string" ? parse(item) : [item]));
}

function parse(text: string): readonly KubeObject[] {
  const { documents, issues } = readDocuments(text, { foldYamlDoubles: true });
  if (issues[0] !== undefined) throw new Error(readIssueText(issues[0]));
  return documents.flatMap(({ value }) => {
    if (value === null || value === undefined) return [];
    const { kind, items } = value as { kind?: string; items?: readonly KubeObject[] };
    return kind === "List" && items !== undefined ? items : [value as KubeObject];
  });
}
