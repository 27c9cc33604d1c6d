// Tenants with random rights at `celadon up`: they send permitted and forbidden requests, in many forms, and now and then flood the server,
// while an administrator and an honest tenant keep working. Nothing forbidden may succeed, nothing allowed may be forbidden, and no answer
// shows an object that its reader may not see.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { type CampaignOptions, type CampaignReport, Findings, pause } from "../campaign.ts";
import { type Random, seeded } from "../random.ts";
import { Client } from "../server/client.ts";
import { UpProcess } from "../server/up-process.ts";
import { randomRequest, type TenantRequest } from "./requests.ts";
import { mayDo, maySee } from "./rights.ts";
import { MARKER, NAMES, NAMESPACES, objectOf, RESOURCES, randomTenants, rolesOf, type Tenant } from "./world.ts";

export interface TenantsOptions extends CampaignOptions {
  /** The JavaScript of the command. */
  readonly command: string;
  readonly seconds: number;
}

export interface TenantsReport extends CampaignReport {
  readonly requests: number;
  readonly allowed: number;
  readonly forbidden: number;
  readonly floods: number;
  /** Requests of the administrator and of the honest tenant meanwhile. */
  readonly controlRequests: number;
  readonly controlP50Ms: number;
  readonly controlP99Ms: number;
  readonly controlLongestMs: number;
  readonly mostMemoryMB: number;
}

const TENANTS = 8;
const HONEST: Tenant = {
  name: "honest",
  token: "token-of-honest",
  grants: [{ namespace: "default", verbs: ["get", "create", "list"], resources: ["configmaps"] }],
};
/** The bound for the control's requests, on a machine whose cores the campaign shares with the server. */
const CONTROL_P99_MS = 1_000;
const MEMORY_MB = 768;

export async function tenantsCampaign(options: TenantsOptions): Promise<TenantsReport> {
  const random = seeded(options.seed);
  const tenants = randomTenants(random, TENANTS);
  const server = new UpProcess(options.command, ["--memory"]);
  const tokens = join(server.directory, "..", `celadon-tokens-${process.pid}.csv`);
  const lines = [...tenants, HONEST].map(({ name, token }) => `${token},${name},${name},"tenants"\n`);
  writeFileSync(tokens, lines.join(""), { mode: 0o600 });
  try {
    const outcome = await server.start(["--token-auth-file", tokens]);
    if (outcome !== "ready") throw new Error(`the server did not start: ${server.log}`);
    const admin = new Client(server.pki, () => server.port);
    await prepare(admin, [...tenants, HONEST]);
    const campaign = new TenantsCampaign(options, random, server, admin);
    return await campaign.run(tenants);
  } finally {
    rmSync(tokens, { force: true });
    await server.remove();
  }
}

async function prepare(admin: Client, tenants: readonly Tenant[]): Promise<void> {
  const create = async (path: string, body: object): Promise<void> => {
    const { code, body: answer } = await admin.call("POST", path, body);
    if (code !== 201) throw new Error(`POST ${path}: ${code} ${JSON.stringify(answer)}`);
  };
  for (const name of NAMESPACES) {
    await create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  for (const [resource, { root }] of Object.entries(RESOURCES)) {
    for (const namespace of NAMESPACES) {
      for (const name of NAMES)
        await create(`${root}/namespaces/${namespace}/${resource}`, objectOf(resource, namespace, name));
    }
  }
  for (const { path, body } of tenants.flatMap(rolesOf)) await create(path, body);
}

class TenantsCampaign {
  readonly #options: TenantsOptions;
  readonly #random: Random;
  readonly #server: UpProcess;
  readonly #admin: Client;
  readonly #agent: Agent;
  readonly #findings = new Findings();
  readonly #times: number[] = [];
  #requests = 0;
  #allowed = 0;
  #forbidden = 0;
  #floods = 0;
  #mostBytes = 0;
  #until = 0;

  constructor(options: TenantsOptions, random: Random, server: UpProcess, admin: Client) {
    this.#options = options;
    this.#random = random;
    this.#server = server;
    this.#admin = admin;
    const ca = readFileSync(join(server.pki, "ca.crt"));
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: 1_000 });
  }

  async run(tenants: readonly Tenant[]): Promise<TenantsReport> {
    this.#until = performance.now() + this.#options.seconds * 1_000;
    const memory = setInterval(() => {
      this.#mostBytes = Math.max(this.#mostBytes, this.#server.residentBytes());
    }, 100);
    const progress = setInterval(
      () => this.#options.progress?.(`${this.#requests} requests, ${this.#forbidden} forbidden`),
      30_000,
    );
    await Promise.all([
      this.#control(),
      this.#honest(),
      this.#restore(),
      ...tenants.flatMap((tenant) => [this.#tenant(tenant), this.#tenant(tenant)]),
      this.#flood(tenants),
    ]);
    clearInterval(memory);
    clearInterval(progress);
    this.#agent.destroy();
    this.#admin.close();
    const times = this.#times.sort((a, b) => a - b);
    const at = (part: number): number => Math.round((times[Math.floor(times.length * part)] ?? 0) * 10) / 10;
    const [p50, p99] = [at(0.5), at(0.99)];
    const mostMemoryMB = Math.round(this.#mostBytes / 1024 / 1024);
    if (p99 > CONTROL_P99_MS) this.#findings.problem(`the control's p99 is ${p99} ms, more than ${CONTROL_P99_MS}`);
    if (mostMemoryMB > MEMORY_MB) this.#findings.problem(`the server took ${mostMemoryMB} MB, more than ${MEMORY_MB}`);
    return {
      requests: this.#requests,
      allowed: this.#allowed,
      forbidden: this.#forbidden,
      floods: this.#floods,
      controlRequests: times.length,
      controlP50Ms: p50,
      controlP99Ms: p99,
      controlLongestMs: Math.round(times.at(-1) ?? 0),
      mostMemoryMB,
      problems: this.#findings.problems,
    };
  }

  get #isOver(): boolean {
    return performance.now() > this.#until || this.#options.signal?.aborted === true;
  }

  async #control(): Promise<void> {
    while (!this.#isOver) {
      await this.#timed("administrator", () => this.#admin.call("GET", "/api/v1/namespaces/default"), 200);
      await pause(20);
    }
  }

  async #honest(): Promise<void> {
    const at = "/api/v1/namespaces/default/configmaps";
    for (let n = 0; !this.#isOver; n++) {
      const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: `honest-${n % 500}` } });
      const created = (): Promise<{ code: number }> =>
        this.#send(HONEST, {
          method: "POST",
          path: at,
          headers: { "content-type": "application/json" },
          body,
          intent: undefined,
          isPlain: false,
        });
      await this.#timed("honest tenant", created, n < 500 ? 201 : 409);
      await this.#timed(
        "honest tenant",
        () =>
          this.#send(HONEST, {
            method: "GET",
            path: `${at}/honest-0`,
            headers: {},
            body: undefined,
            intent: undefined,
            isPlain: false,
          }),
        200,
      );
      await pause(50);
    }
  }

  async #timed(who: string, call: () => Promise<{ readonly code: number }>, want: number): Promise<void> {
    const started = performance.now();
    const { code } = await call();
    this.#times.push(performance.now() - started);
    if (code !== want) this.#findings.problem(`${who}: ${code} instead of ${want}`);
  }

  /** Objects that tenants deleted or changed are put back, so that later requests have objects to find. */
  async #restore(): Promise<void> {
    while (!this.#isOver) {
      for (const [resource, { root }] of Object.entries(RESOURCES)) {
        for (const namespace of NAMESPACES) {
          for (const name of NAMES) {
            if (this.#isOver) return;
            const path = `${root}/namespaces/${namespace}/${resource}/${name}?fieldManager=restore&force=true`;
            const body = JSON.stringify(objectOf(resource, namespace, name));
            await this.#admin.call("PATCH", path, body, "application/apply-patch+yaml");
          }
        }
      }
      await pause(1_000);
    }
  }

  async #tenant(tenant: Tenant): Promise<void> {
    while (!this.#isOver) {
      const sent = randomRequest(this.#random);
      const { code, text } = await this.#send(tenant, sent);
      this.#requests++;
      this.#check(tenant, sent, code, text);
    }
  }

  #check({ name, grants }: Tenant, { method, path, intent, isPlain }: TenantRequest, code: number, text: string): void {
    const isAllowed = intent !== undefined && mayDo(grants, intent);
    if (isAllowed) this.#allowed++;
    else this.#forbidden++;
    const say = (what: string): void => this.#findings.problem(`${name}: ${method} ${path.slice(0, 200)}: ${what}`);
    if (!isAllowed && code < 300) say(`${code}, but it is forbidden`);
    // An update of an object that does not exist creates it where that is possible, which is another right.
    const mayNeedMore = intent?.verb === "update" || intent?.verb === "patch";
    if (isAllowed && isPlain && code === 403 && !mayNeedMore) say("403, but it is allowed");
    if (code >= 500) say(`${code} ${text.slice(0, 200)}`);
    if (code >= 400) return;
    for (const [, resource = "", namespace = "", object = ""] of text.matchAll(MARKER)) {
      if (!maySee(grants, resource, namespace, object) && !isAllowed) say(`shows ${resource} ${namespace}/${object}`);
    }
  }

  /** Now and then one tenant sends many requests at once. */
  async #flood(tenants: readonly Tenant[]): Promise<void> {
    while (!this.#isOver) {
      await pause(2_000);
      const tenant = tenants[this.#random(tenants.length)]!;
      const flood = FLOODS[this.#random(FLOODS.length)]!(this.#random);
      this.#floods++;
      await Promise.all(Array.from({ length: 400 }, () => this.#send(tenant, flood)));
    }
  }

  /** The code and text of the answer; 0 without one. */
  #send(
    { token }: Tenant,
    { method, path, headers, body }: TenantRequest,
  ): Promise<{ readonly code: number; readonly text: string }> {
    return new Promise((resolve) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: this.#server.port,
          method,
          path,
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${token}`,
            ...headers,
            ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("close", () => resolve({ code: response.statusCode ?? 0, text }));
          response.on("error", () => {});
        },
      );
      sent.on("error", () => resolve({ code: 0, text: "" }));
      sent.end(body);
    });
  }
}

const flooding = (method: string, path: string, body?: string): TenantRequest => ({
  method,
  path,
  headers: body === undefined ? {} : { "content-type": "application/json" },
  body,
  intent: undefined,
  isPlain: false,
});

const FLOODS: readonly ((random: Random) => TenantRequest)[] = [
  () => flooding("GET", "/api/v1/namespaces/red/configmaps?resourceVersion=99999999"),
  () => flooding("GET", "/openapi/v3/api/v1"),
  () => flooding("POST", "/api/v1/namespaces/red/configmaps", `{"a":[${"{},".repeat(20_000)}{}]}`),
  () => flooding("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", '{"spec":{"namespace":"red"}}'),
];
