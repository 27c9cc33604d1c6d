// The webhook under constant load while its dependencies fail. No allowed request may fail and no request that a known policy denies may
// pass. When somebody deletes or changes the webhook configuration, it must be restored within a bound. Every new connection must be
// verifiable with the CA bundle of the configuration, whatever happens to the certificates.

import { Api, ApiError, connectionFromKubeconfig } from "@celadon/client";
import { OWN_GROUP, ownDefinitions } from "@celadon/cluster/webhook";
import { issueCertificate, keyPem } from "@celadon/pki";
import { type CampaignOptions, type CampaignReport, Findings, pause } from "../campaign.ts";
import { CONFIG_MAPS, CONFIGURATION, CONFIGURATIONS, Load } from "./load.ts";
import { binding, POLICIES, policy, WORDS } from "./policies.ts";
import { type Replica, ServerProcess, startReplica, told } from "./processes.ts";
import { TcpProxy } from "./tcp-proxy.ts";

export interface WebhookCampaignOptions extends CampaignOptions {
  /** The files of a replica and of the API server. */
  readonly replica: string;
  readonly server: string;
  /** How often each fault happens. */
  readonly times: number;
  /** How many policies are added at once. */
  readonly policies: number;
  /** Only faults whose name contains this. */
  readonly fault?: string | undefined;
}

export interface WebhookReport extends CampaignReport {
  readonly requests: number;
  /** New connections whose certificate was verified with the configuration's CA bundle. */
  readonly connections: number;
  readonly faults: Readonly<Record<string, number>>;
  /** The longest time in milliseconds until a written policy was enforced, or a changed configuration was restored. */
  readonly longestMs: Readonly<Record<string, number>>;
}

const PORT = 32_443;
/** The longest a change may take to be in force, and a configuration to be restored. */
const BOUND_MS = 5_000;
const DAY = 86_400_000;
const DEFINITIONS = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const SECRETS = { group: "", version: "v1", resource: "secrets" };
const SECRET = { namespace: "kube-public", name: "celadon-webhook-tls" };
const OWN = { group: OWN_GROUP, version: "v1" };
const RESOURCES: Readonly<Record<string, { group: string; version: string; resource: string }>> = {
  ConfigMap: CONFIG_MAPS,
  CustomResourceDefinition: DEFINITIONS,
  ValidatingAdmissionPolicy: { ...OWN, resource: "validatingadmissionpolicies" },
  ValidatingAdmissionPolicyBinding: { ...OWN, resource: "validatingadmissionpolicybindings" },
};

export async function webhookCampaign(options: WebhookCampaignOptions): Promise<WebhookReport> {
  const { times, policies, progress } = options;
  const server = new ServerProcess(options.server);
  await server.start();
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfig }));
  for (const object of ownDefinitions()) await put(api, object);
  await established(api);
  for (const object of POLICIES) await put(api, object);

  const network = new TcpProxy([server.port]);
  const kubeconfig = server.kubeconfigThrough(await network.listen(0));
  const service = new TcpProxy([]);
  await service.listen(PORT);
  const replicas: Replica[] = [];
  let nextPort = PORT + 1;
  const start = async (): Promise<void> => {
    replicas.push(await startReplica(options.replica, kubeconfig, nextPort++, `https://127.0.0.1:${PORT}`));
    service.target(...replicas.map(({ port }) => port));
  };
  const findings = new Findings();
  const load = new Load(api, PORT, findings);
  const faults: Record<string, number> = {};
  const longestMs: Record<string, number> = {};
  const fault = async (name: string, run: () => Promise<void>, often = times): Promise<void> => {
    if (options.fault !== undefined && !name.includes(options.fault)) return;
    progress?.(name);
    for (let i = 0; i < often && !options.signal?.aborted; i++) {
      load.during = name;
      await run();
      faults[name] = (faults[name] ?? 0) + 1;
      await pause(300);
    }
  };
  const within = async (name: string, isSo: () => Promise<boolean>, bound = BOUND_MS): Promise<void> => {
    const started = performance.now();
    while (!(await isSo())) {
      if (performance.now() - started > bound) {
        findings.problem(`${name}: not within ${bound} ms`);
        return;
      }
      await pause(10);
    }
    longestMs[name] = Math.max(longestMs[name] ?? 0, Math.round(performance.now() - started));
  };
  /** Writes a policy, waits until it is in force, then deletes it. */
  const changes = async (what: string): Promise<void> => {
    await put(api, policy("changing", "object.metadata.name != 'changed'"));
    await put(api, binding("changing"));
    await within(`a changed policy is enforced${what}`, () => load.isDenied("changed"));
    await put(api, policy("changing", "true"));
    await within(`a lifted policy is lifted${what}`, async () => !(await load.isDenied("changed")));
  };
  try {
    for (let i = 0; i < 3; i++) await start();
    await within("first enforcement", () => load.isDenied("bad"));
    load.start();
    await fault("connections to the API server cut", async () => {
      network.cut();
      await pause(300);
    });
    await fault("partition", async () => {
      network.silence(true);
      await pause(1_000);
      network.silence(false);
    });
    await fault("a replica stopped and continued", async () => {
      replicas[0]!.child.kill("SIGSTOP");
      await pause(1_000);
      replicas[0]!.child.kill("SIGCONT");
    });
    await fault("a policy changed", () => changes(""));
    await fault("the API server killed and started again", async () => {
      load.isAway = true;
      await server.kill();
      await pause(500);
      await server.start();
      await pause(100);
      load.isAway = false;
      await changes(" after the API server was killed");
    });
    await fault("history compacted while the webhook is cut off", async () => {
      const { metadata } = await api.get(CONFIG_MAPS, { namespace: "default", name: "words" });
      network.target();
      network.cut();
      await put(api, policy("changing", "object.metadata.name != 'changed'"));
      for (let i = 0; i < 20; i++) await put(api, { ...WORDS, data: { count: String(i) } });
      await server.compact();
      // The server keeps recent events in memory; a restart drops them, so that nothing before the compaction is left.
      load.isAway = true;
      await server.kill();
      await server.start();
      load.isAway = false;
      if (!(await isGone(api, metadata?.resourceVersion ?? "1"))) findings.problem("the history is not gone");
      network.target(server.port);
      // A reflector backs off after an error.
      await within("a policy changed meanwhile is enforced", () => load.isDenied("changed"), 3 * BOUND_MS);
      await api.delete(CONFIG_MAPS, { namespace: "default", name: "words" });
      await within("params deleted after that count", () => load.isDenied("uses-params"), 3 * BOUND_MS);
      await put(api, WORDS);
      await within("params that are back count", async () => !(await load.isDenied("uses-params")));
      await put(api, policy("changing", "true"));
      await within("a lifted policy is lifted", async () => !(await load.isDenied("changed")));
    });
    await fault("params deleted", async () => {
      await api.delete(CONFIG_MAPS, { namespace: "default", name: "words" });
      await within("params that are gone count", () => load.isDenied("uses-params"));
      await put(api, WORDS);
      await within("params that are back count", async () => !(await load.isDenied("uses-params")));
    });
    await fault("Secret deleted", async () => {
      await api.delete(SECRETS, SECRET);
      await within("a deleted Secret is made again", async () => (await api.find(SECRETS, SECRET)) !== undefined);
    });
    await fault("certificate in the Secret has ended", async () => {
      const secret = await api.get(SECRETS, SECRET);
      const ended = endedCertificate();
      await api.update(SECRETS, SECRET, { ...secret, data: { ...(secret.data as object), ...ended } });
      await within("an ended certificate is renewed", async () => {
        const { data } = await api.get(SECRETS, SECRET);
        return (data as Record<string, string>)["tls.crt"] !== ended["tls.crt"];
      });
    });
    await fault("clocks of all replicas jump", async () => {
      for (const clockMs of [400 * DAY, 3_600_000, -30 * DAY, 0]) {
        for (const { child } of replicas) child.send({ clockMs });
        // The leader checks the certificates when the Secret changes.
        const secret = await api.get(SECRETS, SECRET);
        const annotations = { ...secret.metadata?.annotations, "faults/clock": String(clockMs) };
        await api.update(SECRETS, SECRET, { ...secret, metadata: { ...secret.metadata, annotations } });
        await pause(300);
        await changes(" while clocks jump");
      }
    });
    await fault("rolling update of three replicas", async () => {
      for (let i = 0; i < 3; i++) {
        await start();
        const [old] = replicas.splice(0, 1);
        service.target(...replicas.map(({ port }) => port));
        const ended = new Promise((resolve) => old!.child.once("exit", resolve));
        old!.child.kill("SIGTERM");
        await ended;
      }
    });
    await fault(
      `${policies} policies added at once`,
      async () => {
        const names = Array.from({ length: policies }, (_, i) => `many-${i}`);
        for (const { child } of replicas) await loopOf(child);
        const written = performance.now();
        await eachOf(names, async (name) => {
          // Each matches different objects, so that every request must be compared with all of them.
          const own = { objectSelector: { matchLabels: { name } } };
          await put(api, policy(name, `object.metadata.name != '${name}'`, {}, own));
          await put(api, binding(name));
        });
        longestMs[`${policies} policies are written`] = Math.round(performance.now() - written);
        await within(`the last of ${policies} policies is enforced`, () => load.isDenied(`many-${policies - 1}`));
        for (const name of [names[0]!, names[policies >> 1]!])
          if (!(await load.isDenied(name))) findings.problem(`${name} is not enforced`);
        await eachOf(names, (name) => api.delete(RESOURCES.ValidatingAdmissionPolicyBinding!, { name }));
        await within("the last of them is lifted", async () => !(await load.isDenied(`many-${policies - 1}`)));
        await eachOf(names, (name) => api.delete(RESOURCES.ValidatingAdmissionPolicy!, { name }));
        const loops = await Promise.all(replicas.map(({ child }) => loopOf(child)));
        const most = (ms: (loop: LoopReport) => number): number => Math.round(Math.max(...loops.map(ms)));
        longestMs["the event loop of a replica was blocked"] = most((loop) => loop.longestMs);
        longestMs["CPU time of a replica without a pause"] = most((loop) => loop.mostCpuMs);
      },
      options.fault === undefined ? 1 : times,
    );
    // From here on denied requests may pass for a moment, because the configuration was changed on purpose.
    load.isOpen = true;
    await fault("configuration deleted by hand", async () => {
      await api.delete(CONFIGURATIONS, CONFIGURATION);
      await within("a deleted configuration is back", () => load.isDenied("bad"));
    });
    await fault("configuration edited by hand", async () => {
      const object = await api.get(CONFIGURATIONS, CONFIGURATION);
      const webhooks = (object.webhooks as { rules: object[] }[]).map((entry) => ({
        ...entry,
        rules: [{ ...entry.rules[0], resources: ["pods"] }],
      }));
      await api.update(CONFIGURATIONS, CONFIGURATION, { ...object, webhooks });
      await within("an edited configuration is back", () => load.isDenied("bad"));
    });
  } finally {
    await load.stop();
    for (const { child } of replicas) child.kill("SIGKILL");
    service.close();
    network.close();
    api.close();
    await server.remove();
  }
  const { requests, connections } = load;
  return { problems: findings.problems, requests, connections, faults, longestMs };
}

/** Runs a few at a time, in order. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

type Manifest = Readonly<Record<string, unknown>>;

/** Creates an object, or replaces it if it exists. */
async function put(api: Api, object: Manifest): Promise<void> {
  const { name = "", namespace } = object.metadata as { readonly name?: string; readonly namespace?: string };
  const resource = RESOURCES[String(object.kind)]!;
  const target = { name, ...(namespace && { namespace }) };
  await api.apply(resource, target, object, { fieldManager: "faults", force: true });
}

async function established(api: Api): Promise<void> {
  for (const resource of Object.values(RESOURCES)) {
    for (let i = 0; i < 200 && !(await api.list(resource, { limit: 1 }).then(Boolean, () => false)); i++)
      await pause(50);
  }
}

/** How long the event loop of a replica was blocked since the last call. */
async function loopOf(child: Replica["child"]): Promise<LoopReport> {
  const answer = told(child);
  child.send({ loop: true });
  return (await answer) as LoopReport;
}

interface LoopReport {
  readonly longestMs: number;
  /** The most CPU time without a pause; unlike wall time, independent of how busy the machine is. */
  readonly mostCpuMs: number;
}

/** Whether a watch from that version gets 410 Gone. */
async function isGone(api: Api, resourceVersion: string): Promise<boolean> {
  try {
    const query = { watch: true, resourceVersion, timeoutSeconds: 5 };
    const { stream } = await api.stream("/api/v1/namespaces/default/configmaps", query, {});
    for await (const chunk of stream) return Buffer.from(chunk).toString().includes('"code":410');
    return false;
  } catch (error) {
    return error instanceof ApiError && error.code === 410;
  }
}

/** A configuration as restored from an old backup. */
function endedCertificate(): Readonly<Record<"tls.crt" | "tls.key", string>> {
  const { certificate, key } = issueCertificate({
    subject: { commonName: "127.0.0.1" },
    days: 30,
    usage: "server",
    names: ["127.0.0.1"],
    now: Date.now() - 60 * DAY,
  });
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return { "tls.crt": base64(certificate), "tls.key": base64(keyPem(key)) };
}
