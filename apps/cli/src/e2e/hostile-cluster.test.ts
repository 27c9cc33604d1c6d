// A hostile cluster: an API server with names, messages and answers that act on a terminal, and a kubeconfig of the same kind. The output
// of commands about it, as a report, on a terminal and as a log, does nothing.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { FORMATS } from "../output/formats.ts";
import { EXIT } from "../program/exit.ts";
import { run } from "../run.ts";
import { EVIL, EVIL_LITERAL, EVIL_WORD, problemsOf } from "./hostile-text.testing.ts";

const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }];
const validations = [
  { expression: "object.metadata.name == 'x'", messageExpression: "'m' + object.metadata.name" },
  { expression: `object.data[${EVIL_LITERAL}] == 'x'`, message: EVIL },
];
const named = (name: string): object => ({
  name,
  namespace: `n${EVIL}`,
  uid: EVIL,
  resourceVersion: EVIL,
  labels: { [EVIL]: EVIL },
});

/** Objects by resource; for all others, one with a hostile name and nothing else. */
const OBJECTS: Readonly<Record<string, readonly object[]>> = {
  validatingadmissionpolicies: [
    { metadata: named("p"), spec: { matchConstraints: { resourceRules: rules }, validations } },
    {
      metadata: named(`q${EVIL}`),
      spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: EVIL }] },
    },
    {
      metadata: named(`r${EVIL}`),
      spec: { [EVIL]: EVIL, paramKind: { apiVersion: EVIL, kind: EVIL }, validations: EVIL },
    },
  ],
  validatingadmissionpolicybindings: [
    { metadata: named("b"), spec: { policyName: "p", validationActions: ["Deny"] } },
    { metadata: named(`c${EVIL}`), spec: { policyName: EVIL, validationActions: [EVIL] } },
  ],
  configmaps: [
    { metadata: named(`m${EVIL}`), data: { [EVIL]: EVIL } },
    { metadata: named("m"), data: { [EVIL]: EVIL } },
  ],
  certificaterequests: [
    { metadata: named(`r${EVIL}`), spec: { request: EVIL, issuerRef: { name: EVIL }, username: EVIL } },
  ],
  certificaterequestpolicies: [
    { metadata: named(`p${EVIL}`), spec: { allowed: { commonName: { value: EVIL, validations: [{ rule: EVIL }] } } } },
  ],
};
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "admissionregistration.k8s.io/v1": {
    validatingadmissionpolicies: "ValidatingAdmissionPolicy",
    validatingadmissionpolicybindings: "ValidatingAdmissionPolicyBinding",
  },
  v1: { configmaps: "ConfigMap", namespaces: "Namespace", [`w${EVIL_WORD}`]: `W${EVIL}` },
  "cert-manager.io/v1": { certificaterequests: "CertificateRequest" },
  "policy.cert-manager.io/v1alpha1": { certificaterequestpolicies: "CertificateRequestPolicy" },
};

type Answered = readonly [status: number, body: unknown];

function objectsAt(path: string): Answered {
  if (path === "/version") return [200, { major: "1", minor: EVIL, gitVersion: EVIL }];
  if (path === "/api") return [200, { kind: "APIVersions", versions: ["v1"] }];
  if (path === "/apis")
    return [
      200,
      {
        kind: "APIGroupList",
        groups: Object.keys(GROUPS)
          .filter((version) => version.includes("/"))
          .map(groupOf),
      },
    ];
  const resources = GROUPS[path.replace(/^\/apis?\//, "")];
  if (resources !== undefined) {
    const list = Object.entries(resources).map(([name, kind]) => ({
      name,
      kind,
      namespaced: kind === "ConfigMap",
      verbs: ["get", "list", "watch"],
    }));
    return [200, { kind: "APIResourceList", resources: list }];
  }
  const plural = path.split("/").at(-1)!;
  return [
    200,
    { kind: EVIL, metadata: { resourceVersion: "1" }, items: OBJECTS[plural] ?? [{ metadata: named(`o${EVIL}`) }] },
  ];
}

function groupOf(groupVersion: string): object {
  const [name, version] = groupVersion.split("/");
  const versions = [{ groupVersion, version }];
  return { name, versions, preferredVersion: versions[0] };
}

/** The modes of the server. */
const MODES: Readonly<Record<string, (path: string) => Answered>> = {
  objects: objectsAt,
  "failing lists": (path) =>
    path.split("/").length > 4 ? [403, { kind: "Status", code: 403, reason: EVIL, message: EVIL }] : objectsAt(path),
  failures: () => [500, { kind: "Status", code: 500, reason: EVIL, message: EVIL }],
  "not JSON": () => [200, `<html>${EVIL}`],
  "no object": () => [200, null],
  "other JSON": () => [200, [EVIL, { [EVIL]: EVIL }]],
};

let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), "celadon-"))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function writeConfiguration(cluster: object, user: object): string {
  const path = join(mkdtempSync(join(directory, "k")), "kubeconfig");
  const configuration = {
    clusters: [{ name: EVIL, cluster }],
    contexts: [{ name: EVIL_WORD, context: { cluster: EVIL, user: EVIL, namespace: EVIL } }],
    users: [{ name: EVIL, user }],
    "current-context": EVIL_WORD,
  };
  writeFileSync(path, JSON.stringify(configuration));
  return path;
}

/** A server for one run, so that runs may wait at the same time. */
class LyingServer {
  asked = 0;
  readonly #server: Server;

  constructor(answer: (path: string) => Answered) {
    this.#server = createServer((request, response) => {
      this.asked++;
      const [status, body] = answer(new URL(request.url!, "http://x").pathname);
      // A watch stays open, as long as it gets one.
      response.writeHead(status, { "content-type": "application/json", warning: `299 - "w"` });
      if (request.url!.includes("watch=") && status === 200)
        response.write(`${JSON.stringify({ type: EVIL, object: { metadata: named("x") } })}\n`);
      else response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    return writeConfiguration({ server: `http://127.0.0.1:${port}` }, {});
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function problemsIn(argv: readonly string[], terminal?: number, stop?: AbortController): Promise<unknown> {
  const signal = stop?.signal;
  const io = testIo({ env: { NO_COLOR: "1" }, ...(signal && { signal }), ...(terminal !== undefined && { terminal }) });
  const code = await run(argv, io).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
  const found = { out: problemsOf(io.stdout, argv.at(-1)), err: problemsOf(io.stderr) };
  const isFine = found.out.length + found.err.length === 0 && code !== EXIT.internal;
  return isFine ? undefined : { argv, code, ...found, stderr: io.stderr };
}

interface Setting {
  readonly mode: string;
  readonly terminal?: number | undefined;
  /** Stopped after so many requests. */
  readonly requests?: number;
}

/** `argv` begins with the verb. */
async function problemsWith([verb, ...argv]: readonly string[], setting: Setting): Promise<unknown> {
  const { mode, terminal, requests } = setting;
  const server = new LyingServer(MODES[mode]!);
  const line = [verb!, "--kubeconfig", await server.start(), ...argv];
  try {
    if (requests === undefined) return await problemsIn(line, terminal);
    const stop = new AbortController();
    const running = problemsIn(line, terminal, stop);
    let ended = false;
    void running.finally(() => (ended = true));
    while (server.asked < requests && !ended) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    return await running;
  } finally {
    server.stop();
  }
}

test.concurrent.each(Object.keys(MODES))("audit: %s", async (mode) => {
  for (const format of FORMATS) expect(await problemsWith(["audit", "-o", format], { mode })).toBeUndefined();
  expect(await problemsWith(["audit"], { mode, terminal: 80 })).toBeUndefined();
  expect(await problemsWith(["audit", "--every", "1s"], { mode, terminal: 80, requests: 4 })).toBeUndefined();
});

/** With all others, programs wait longer after every request. */
const ANSWERED: ReadonlySet<string> = new Set(["objects", "failing lists"]);

const PROGRAMS = [
  ["webhook", "--listen", "127.0.0.1:0", "--drain", "0"],
  ["approver", "--metrics-port", "0"],
];
test.concurrent.each(PROGRAMS.flatMap((argv) => Object.keys(MODES).map((mode) => [argv[0], mode, argv] as const)))(
  "%s: %s",
  async (_, mode, argv) => {
    for (const terminal of [undefined, 80]) {
      const requests = ANSWERED.has(mode) ? 6 : 3;
      expect(await problemsWith(argv, { mode, terminal, requests })).toBeUndefined();
    }
  },
);

const CLUSTERS: readonly (readonly [object, object])[] = [
  [{ server: `https://${EVIL}` }, {}],
  [{ server: EVIL }, {}],
  [{ server: "http://127.0.0.1:1", "certificate-authority": EVIL }, {}],
  [{ server: "http://127.0.0.1:1", "certificate-authority": EVIL_WORD }, {}],
  [{ server: "https://127.0.0.1:1", "certificate-authority-data": btoa("x") }, {}],
  [{ server: "http://127.0.0.1:1" }, { "client-certificate": EVIL, "client-key": EVIL }],
  [{ server: "http://127.0.0.1:1" }, { exec: { apiVersion: EVIL, command: EVIL_WORD } }],
  [{ server: "http://127.0.0.1:1" }, { exec: { apiVersion: "client.authentication.k8s.io/v1", command: EVIL } }],
  [
    { server: "http://127.0.0.1:1" },
    {
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "sh",
        args: ["-c", "printf '%s' \"$E\" >&2; exit 1"],
        env: [{ name: "E", value: EVIL_WORD }],
      },
    },
  ],
  [{ server: "http://127.0.0.1:1" }, { "auth-provider": { name: EVIL } }],
  [{ server: "http://127.0.0.1:1" }, { token: EVIL }],
];
test.concurrent.each(CLUSTERS)("kubeconfig %#", async (cluster, user) => {
  const path = writeConfiguration(cluster, user);
  for (const context of [[], ["--context", "other"]]) {
    for (const terminal of [undefined, 80])
      expect(await problemsIn(["audit", "--kubeconfig", path, ...context], terminal)).toBeUndefined();
  }
});
