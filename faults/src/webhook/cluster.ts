// The cluster that the webhook campaign damages: an API server, replicas of the webhook behind one address, proxies in front of both, and
// the load on them.

import { Api, connectionFromKubeconfig } from "@celadon/client";
import { OWN_GROUP, ownDefinitions } from "@celadon/cluster/webhook";
import { Findings, pause } from "../campaign.ts";
import { CONFIG_MAPS, Load } from "./load.ts";
import { binding, POLICIES, policy } from "./policies.ts";
import { type Replica, ServerProcess, startReplica } from "./processes.ts";
import { TcpProxy } from "./tcp-proxy.ts";

const PORT = 32_443;
/** The longest a change may take to be in force, and a configuration to be restored. */
export const BOUND_MS = 5_000;

interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const own = (resource: string): Resource => ({ group: OWN_GROUP, version: "v1", resource });
export const OWN_POLICIES: Resource = own("validatingadmissionpolicies");
export const OWN_BINDINGS: Resource = own("validatingadmissionpolicybindings");
const RESOURCES: Readonly<Record<string, Resource>> = {
  ConfigMap: CONFIG_MAPS,
  CustomResourceDefinition: { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" },
  ValidatingAdmissionPolicy: OWN_POLICIES,
  ValidatingAdmissionPolicyBinding: OWN_BINDINGS,
};

type Manifest = Readonly<Record<string, unknown>>;

export class FaultyCluster {
  readonly findings: Findings = new Findings();
  /** The longest time in milliseconds until each awaited condition held. */
  readonly longestMs: Record<string, number> = {};
  readonly replicas: Replica[] = [];
  readonly server: ServerProcess;
  readonly api: Api;
  /** Between the replicas and the API server. */
  readonly network: TcpProxy;
  readonly load: Load;
  readonly #service = new TcpProxy([]);
  readonly #replicaFile: string;
  #kubeconfig = "";
  #nextPort = PORT + 1;

  private constructor(server: ServerProcess, api: Api, replicaFile: string) {
    this.server = server;
    this.api = api;
    this.network = new TcpProxy([server.port]);
    this.load = new Load(api, PORT, this.findings);
    this.#replicaFile = replicaFile;
  }

  /** An API server with the policies of the campaign, and no replicas yet. The arguments are the programs' files. */
  static async start(serverFile: string, replicaFile: string): Promise<FaultyCluster> {
    const server = new ServerProcess(serverFile);
    await server.start();
    const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfig }));
    const cluster = new FaultyCluster(server, api, replicaFile);
    for (const object of ownDefinitions()) await cluster.put(object);
    await cluster.#established();
    for (const object of POLICIES) await cluster.put(object);
    cluster.#kubeconfig = server.kubeconfigThrough(await cluster.network.listen(0));
    await cluster.#service.listen(PORT);
    return cluster;
  }

  async startReplica(): Promise<void> {
    const url = `https://127.0.0.1:${PORT}`;
    this.replicas.push(await startReplica(this.#replicaFile, this.#kubeconfig, this.#nextPort++, url));
    this.#route();
  }

  async stopOldestReplica(): Promise<void> {
    const [oldest] = this.replicas.splice(0, 1);
    this.#route();
    const ended = new Promise((resolve) => oldest!.child.once("exit", resolve));
    oldest!.child.kill("SIGTERM");
    await ended;
  }

  /** Creates an object, or replaces it if it exists. */
  async put(object: Manifest): Promise<void> {
    const { name = "", namespace } = object.metadata as { readonly name?: string; readonly namespace?: string };
    const resource = RESOURCES[String(object.kind)]!;
    const target = { name, ...(namespace && { namespace }) };
    await this.api.apply(resource, target, object, { fieldManager: "faults", force: true });
  }

  /** Waits until a condition holds; a problem if that takes longer than the bound. */
  async within(name: string, isSo: () => Promise<boolean>, bound: number = BOUND_MS): Promise<void> {
    const started = performance.now();
    while (!(await isSo())) {
      if (performance.now() - started > bound) {
        this.findings.problem(`${name}: not within ${bound} ms`);
        return;
      }
      await pause(10);
    }
    this.longestMs[name] = Math.max(this.longestMs[name] ?? 0, Math.round(performance.now() - started));
  }

  /** Writes a policy and waits until it is in force, then lifts it again. */
  async changePolicy(when: string): Promise<void> {
    await this.put(policy("changing", "object.metadata.name != 'changed'"));
    await this.put(binding("changing"));
    await this.within(`a changed policy is enforced${when}`, () => this.load.isDenied("changed"));
    await this.put(policy("changing", "true"));
    await this.within(`a lifted policy is lifted${when}`, async () => !(await this.load.isDenied("changed")));
  }

  async stop(): Promise<void> {
    await this.load.stop();
    for (const { child } of this.replicas) child.kill("SIGKILL");
    this.#service.close();
    this.network.close();
    this.api.close();
    await this.server.remove();
  }

  #route(): void {
    this.#service.target(...this.replicas.map(({ port }) => port));
  }

  async #established(): Promise<void> {
    for (const resource of Object.values(RESOURCES)) {
      const isServed = () => this.api.list(resource, { limit: 1 }).then(Boolean, () => false);
      for (let i = 0; i < 200 && !(await isServed()); i++) await pause(50);
    }
  }
}
