// Malformed requests: valid ones with bytes changed, cut, repeated and recombined at random. Every response must be a Status or a success, and none
// may be an internal error.

import type { Random } from "../random.ts";
import type { Client } from "../server/client.ts";
import { exchange, type Sockets } from "./sockets.ts";

export interface MalformedOutcome {
  readonly sent: number;
  /** The number of occurrences of each response code; `closed` when the connection was closed without a response. */
  readonly codes: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { generateName: "fuzz-", labels: { a: "b" }, annotations: { "example.com/a": "b" } },
  spec: {
    containers: [{ name: "a", image: "b", ports: [{ containerPort: 80 }], resources: { limits: { memory: "1Gi" } } }],
  },
};
const CONFIG_MAP = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "fuzzed" }, data: { a: "b" } };

/** `k8s\0`, then a runtime.Unknown with a ConfigMap named `fuzz` inside. */
const PROTOBUF = Buffer.concat([
  Buffer.from("k8s\0"),
  message(1, Buffer.concat([message(1, Buffer.from("v1")), message(2, Buffer.from("ConfigMap"))])),
  message(
    2,
    Buffer.concat([
      message(1, message(2, Buffer.from("fuzz-"))),
      message(2, Buffer.concat([message(1, Buffer.from("key")), message(2, Buffer.from("value"))])),
    ]),
  ),
]);

function message(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, bytes.length]), bytes]);
}

const YAML = Buffer.from(`apiVersion: v1
kind: ConfigMap
metadata: {generateName: fuzz-, labels: &l {a: b}}
data:
  text: |
    lines
    of text
  "quoted": 'x'
`);
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

interface Sample {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

const DRY = "?dryRun=All";
const MAPS = "/api/v1/namespaces/default/configmaps";
const PODS = "/api/v1/namespaces/default/pods";
const DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/fuzzed";

// biome-ignore format: one sample per line
const SAMPLES: readonly Sample[] = [
  { method: "POST",   path: PODS + DRY,                             type: "application/json",                         body: json(POD) },
  { method: "POST",   path: MAPS + DRY,                             type: "application/yaml",                         body: YAML },
  { method: "POST",   path: MAPS + DRY,                             type: "application/vnd.kubernetes.protobuf",      body: PROTOBUF },
  { method: "POST",   path: `${PODS + DRY}&fieldValidation=Strict`, type: "application/json",                         body: json(POD) },
  { method: "PUT",    path: `${MAPS}/fuzzed${DRY}`,                 type: "application/json",                         body: json(CONFIG_MAP) },
  { method: "PATCH",  path: `${MAPS}/fuzzed${DRY}`,                 type: "application/merge-patch+json",             body: json({ data: { a: null, b: "c" } }) },
  { method: "PATCH",  path: `${MAPS}/fuzzed${DRY}`,                 type: "application/json-patch+json",              body: json([{ op: "add", path: "/data/x", value: "y" }, { op: "copy", from: "/data", path: "/data/z" }]) },
  { method: "PATCH",  path: DEPLOYMENT + DRY,                       type: "application/strategic-merge-patch+json",   body: json({ spec: { template: { spec: { containers: [{ name: "a", image: "c" }, { $patch: "delete", name: "x" }] } } } }) },
  { method: "PATCH",  path: `${MAPS}/fuzzed${DRY}&fieldManager=f`,  type: "application/apply-patch+yaml",             body: YAML },
  { method: "DELETE", path: `${MAPS}/fuzzed${DRY}`,                 type: "application/json",                         body: json({ kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0, preconditions: { uid: "u" } }) },
  { method: "POST",   path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions${DRY}`, type: "application/json", body: json({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "f.example.com" }, spec: { group: "example.com", scope: "Namespaced", names: { plural: "f", singular: "f", kind: "F", listKind: "FList" }, versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", "x-kubernetes-validations": [{ rule: "self.a > 1" }], properties: { a: { type: "integer" } } } } } } }] } }) },
  { method: "POST",   path: `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies${DRY}`, type: "application/json", body: json({ apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingAdmissionPolicy", metadata: { name: "f" }, spec: { matchConstraints: { resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }] }, validations: [{ expression: "object.spec.replicas > 1 && [1,2].all(x, x > 0)" }] } }) },
  { method: "POST",   path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", type: "application/json",       body: json({ apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes: { verb: "get", resource: "pods" } } }) },
];

/** Bodies of each content type that are known to be expensive or confusing. */
const EXTREMES: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.from("[".repeat(100_000)),
  Buffer.from(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`),
  Buffer.from(
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"${"\\u0000".repeat(1000)}"}}`,
  ),
  Buffer.from(
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"__proto__":{"a":1},"constructor":{"prototype":{}}}',
  ),
  Buffer.from(
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","generation":1e400},"spec":{"containers":[{"name":"a","image":"b"}]}}',
  ),
  Buffer.from(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"priority":${"9".repeat(10_000)}}}`),
  Buffer.from(
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":"v"`).join()}}}`,
  ),
  Buffer.from(
    `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from(
      { length: 12 },
      (_, i) =>
        `b${i}: &b${i} [${Array(9)
          .fill(i === 0 ? "*a" : `*b${i - 1}`)
          .join()}]`,
    ).join("\n")}\n`,
  ),
  Buffer.from("a: &a\n  b: *a\n"),
  Buffer.from("- ".repeat(50_000)),
  Buffer.from("? ".repeat(20_000)),
  Buffer.from("%TAG ! tag:x,2000:\n--- !!js/function 'x'\n"),
  Buffer.from([0xff, 0xfe, 0x00, 0x00, 0x22]),
  Buffer.from("k8s\0"),
  Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(1000, 0xff)]),
  Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(100_000, 0x0a)]),
];

/** Sends malformed bodies over ordinary client connections. */
const APPLY = "application/apply-patch+yaml";
/** kube-apiserver responds with the same code and message to an applied configuration that does not fit its schema. */
const NOT_TYPED = /^failed to (create typed patch|convert new) object \([^)]*\)( to proper version)?: ./;

export async function malformedBodies(
  client: Client,
  random: Random,
  times: number,
  signal?: AbortSignal,
): Promise<MalformedOutcome> {
  const tally = new Tally();
  const send = async ({ method, path, type, body }: Sample): Promise<void> => {
    const { code, body: answer } = await client.call(method, path, body, type, 60_000);
    const isRight =
      code < 300 || (answer?.kind === "Status" && answer.code === code && typeof answer.message === "string");
    tally.count(String(code));
    const isKnown = type === APPLY && method === "PATCH" && NOT_TYPED.test(answer?.message ?? "");
    if (!isRight || (code >= 500 && !isKnown)) {
      tally.problem(
        `${method} ${path} ${type} ${JSON.stringify(body.subarray(0, 200).toString("latin1"))}: ${code} ${JSON.stringify(answer).slice(0, 200)}`,
      );
    }
  };
  for (const sample of SAMPLES) for (const body of EXTREMES) await send({ ...sample, body });
  for (let i = 0; i < times && !signal?.aborted; i++) {
    const sample = SAMPLES[random(SAMPLES.length)]!;
    await send({ ...sample, body: changed(sample.body, random) });
  }
  return tally.outcome;
}

// biome-ignore format: one request per line
const REQUESTS: readonly string[] = [
  "GET /api/v1/namespaces/default/configmaps?limit=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  `POST ${MAPS}${DRY} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 69\r\n\r\n{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"f"}}`,
  `POST ${MAPS}${DRY} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`,
  "GET /api HTTP/1.1\r\nHost: x\r\nAccept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList\r\nConnection: close\r\n\r\n",
  "GET /api/v1/namespaces/default/pods/a%2Fb?fieldSelector=metadata.name%3Dx&watch=false HTTP/1.1\r\nHost: x\r\nImpersonate-User: ann\r\nImpersonate-Extra-a%2fb: c\r\nConnection: close\r\n\r\n",
  "DELETE /apis/apps/v1/namespaces/default/deployments/none HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET http://example.com/api/v1/pods HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n",
  "GET /api/v1/namespaces/default/pods/x/exec?command=sh HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
];

/** Sends whole requests as bytes, each on its own connection. */
export async function malformedHttp(
  sockets: Sockets,
  random: Random,
  times: number,
  signal?: AbortSignal,
): Promise<MalformedOutcome> {
  const tally = new Tally();
  for (let i = 0; i < times && !signal?.aborted; i++) {
    const text = Buffer.from(REQUESTS[random(REQUESTS.length)]!, "latin1");
    const bytes = i < REQUESTS.length ? Buffer.from(REQUESTS[i]!, "latin1") : changed(text, random);
    const answer = (await exchange(await sockets.open(), bytes, 20_000)).toString("latin1");
    const problem = problemWith(answer, tally);
    if (problem !== undefined) tally.problem(`${JSON.stringify(bytes.toString("latin1")).slice(0, 400)}: ${problem}`);
  }
  return tally.outcome;
}

/** The problem of a connection's last response; all are counted. */
function problemWith(answer: string, tally: Tally): string | undefined {
  if (answer === "") {
    tally.count("closed");
    return undefined;
  }
  const [, code = ""] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? [];
  tally.count(code);
  if (code === "") return `no HTTP: ${answer.slice(0, 100)}`;
  if (Number(code) < 400) return undefined;
  const end = answer.indexOf("\r\n\r\n");
  const [head, body] = [answer.slice(0, end), answer.slice(end + 4)];
  if (Number(code) >= 500) return answer.slice(0, 300);
  if (code === "404" && body.startsWith("404 page not found")) return undefined;
  // A response to HEAD has no body.
  if (body === "" && /content-length: [1-9]/i.test(head)) return undefined;
  return /"kind":"Status"/.test(body) ? undefined : `no Status: ${answer.slice(0, 300)}`;
}

class Tally {
  #sent = 0;
  readonly #codes = new Map<string, number>();
  readonly #problems: string[] = [];

  count(code: string): void {
    this.#sent += 1;
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
  }

  problem(text: string): void {
    if (this.#problems.length < 10) this.#problems.push(text);
  }

  get outcome(): MalformedOutcome {
    const codes = [...this.#codes].sort(([a], [b]) => a.localeCompare(b));
    return { sent: this.#sent, codes: Object.fromEntries(codes), problems: this.#problems };
  }
}

const SNIPPETS: readonly string[] = [
  "\0",
  "\r\n",
  "\n\n",
  "%00",
  "%2F",
  "..",
  "//",
  "\xff\xfe",
  '"',
  "{",
  "}",
  "[",
  "]",
  "&a",
  "*a",
  ": ",
  "- ",
  "null",
  "1e999",
  "-0",
  "9".repeat(30),
  "\u2028",
  "__proto__",
  "Content-Length: 5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "x".repeat(5_000),
];

/** Changes some bytes: flips, removes, repeats, moves or inserts. */
function changed(bytes: Buffer, random: Random): Buffer {
  let result = bytes;
  for (let count = 1 + random(4); count > 0; count--) {
    const [a, b] = [random(result.length + 1), random(result.length + 1)];
    const [from, to] = a < b ? [a, b] : [b, a];
    const [before, middle, after] = [result.subarray(0, from), result.subarray(from, to), result.subarray(to)];
    switch (random(6)) {
      case 0:
        result = Buffer.from(result);
        if (from < result.length) result[from] = random(256);
        break;
      case 1:
        result = Buffer.concat([before, after]);
        break;
      case 2:
        result = Buffer.concat([before, middle, middle, after]);
        break;
      case 3:
        result = Buffer.concat([before, Buffer.from(SNIPPETS[random(SNIPPETS.length)]!, "latin1"), middle, after]);
        break;
      case 4:
        result = Buffer.concat([after, before]);
        break;
      default:
        result = before;
    }
  }
  return result;
}
