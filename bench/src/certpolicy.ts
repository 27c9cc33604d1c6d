// npm run bench -- certpolicy [--quick]: certificate requests through decoding and review, and the worst that a policy or a
// request may bring.

import { parseArgs } from "node:util";
import {
  type CertificatePolicySpec,
  type CertificateRequest,
  type CertificateRequestPolicy,
  compileRule,
  evaluateAllowed,
  matchesWildcard,
  policyErrors,
  Reviewer,
  RuleCache,
} from "@celadon/certpolicy";
import { decodeCsr } from "@celadon/certpolicy/csr";
import { cpuMs, FULL, median, nanosPerCall, QUICK } from "./measure.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const effort = values.quick ? QUICK : FULL;

// P-256, no Subject, the DNS name web.shop.localhost.
const PEM = `-----BEGIN CERTIFICATE REQUEST-----
MIGnMIGSAgEAMAAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARrF9Hy4SxCR/i8
5uVjpEDydwN9gS3rM6D0oTlF2JjClk/jQuL+Gn+bjufrSnwPnhYrzjNXazFezsu2
QGg3v1H1oDAwLgYJKoZIhvcNAQkOMSEwHzAdBgNVHREEFjAUghJ3ZWIuc2hvcC5s
b2NhbGhvc3QwCgYIKoZIzj0EAwIDBAABAgM=
-----END CERTIFICATE REQUEST-----`;

const request: CertificateRequest = {
  metadata: { name: "web", namespace: "shop" },
  spec: { request: btoa(PEM), username: "kate", issuerRef: { name: "ca" }, usages: ["server auth"], duration: "24h" },
};
const spec: CertificatePolicySpec = {
  selector: { issuerRef: { name: "ca" }, namespace: { matchNames: ["shop-*", "shop"] } },
  allowed: {
    dnsNames: { values: ["*.localhost"], validations: [{ rule: "self.endsWith('.' + cr.namespace + '.localhost')" }] },
    usages: ["server auth", "client auth"],
  },
  constraints: { maxDuration: "48h", privateKey: { algorithm: "ECDSA", minSize: 256 } },
};
const policy = (i: number, rule: string): CertificateRequestPolicy => ({
  metadata: { name: `p${i}` },
  spec: { ...spec, allowed: { ...spec.allowed, dnsNames: { validations: [{ rule }] } } },
  status: { conditions: [{ type: "Ready", status: "True" }] },
});
const host = {
  authorizer: { authorize: () => ({ decision: "allow" as const }) },
  namespaces: { labelsOf: () => ({}) },
};

const approving: CertificateRequestPolicy = { ...policy(0, ""), spec };
const rules = new RuleCache();
const reviewer = new Reviewer({ rules });
const first = await reviewer.review(request, [approving], host);
if (first.result !== "Approved") throw new Error(JSON.stringify(first));

console.log(`node ${process.version}; CPU time, garbage collection included\n`);

const micros = (work: () => unknown): number => {
  const rounds = (n: number): number => {
    let count = 0;
    for (let i = 0; i < n; i++) if (work()) count++;
    return count;
  };
  return median(nanosPerCall(rounds, 1, effort)) / 1000;
};
let n = 0;
row(
  "a request decoded",
  micros(() => decodeCsr(PEM)),
  "µs",
);
row(
  "a policy validated, rule known",
  micros(() => policyErrors(approving, { rules })),
  "µs",
);
row(
  "a rule compiled",
  micros(() => compileRule(`self.endsWith('.${n++}.' + cr.namespace + '.localhost')`)),
  "µs",
);
row(
  "an evaluation, request known",
  micros(() => evaluateAllowed(approving, request, rules)),
  "µs",
);

// Every review of a fresh object, as they come from an API server.
for (const count of [1, 100, 10_000]) {
  const denying = Array.from({ length: count - 1 }, (_, i) => policy(i, `self == 'host-${i % 1000}'`));
  const policies = [...denying, approving];
  await reviewer.review({ ...request }, policies, host);
  const reviews = values.quick ? 3 : 20;
  const start = process.cpuUsage();
  for (let i = 0; i < reviews; i++) await reviewer.review({ ...request }, policies, host);
  const { user, system } = process.cpuUsage(start);
  row(`review, ${count} ${count === 1 ? "policy" : "policies"}`, (user + system) / 1000 / reviews, "ms");
}

const list = (depth: number): string =>
  depth === 0 ? "true" : `[1,2,3,4,5,6,7,8,9,10].all(x${depth}, ${list(depth - 1)})`;
const worst = policy(0, list(8));
const answer = evaluateAllowed(worst, request, rules);
row(
  "worst rule, up to its cost limit",
  cpuMs(() => evaluateAllowed(worst, request, rules)),
  `ms  ${answer.result}`,
);
const [pattern, text] = [`*${"a".repeat(1000)}b`, "a".repeat(30_000)];
row(
  "worst wildcard, 1,002 × 30,000",
  cpuMs(() => matchesWildcard(pattern, text)),
  "ms",
);

function row(title: string, value: number, unit: string): void {
  console.log(`${title.padEnd(34)} ${value.toFixed(2).padStart(9)} ${unit}`);
}
