// Objects about the server itself: a Lease under its name, by which several servers over one store know each other, and the day since which
// the use of old tokens of service accounts is tracked. Upstream: pkg/controlplane/controller/{leasepoddisruption,legacytokentracking}.

import { createHash, randomUUID } from "node:crypto";
import type { LocalClient } from "../client/local-client.ts";
import { callServer, QueueController } from "./controller.ts";
import { ensure } from "./ensure.ts";

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
const TRACKING = "kube-apiserver-legacy-service-account-token-tracking";
const LEASE = "lease";
/** As kube-apiserver has it. */
const LEASE_SECONDS = 3600;
/** Long before the lease ends, and seldom: a server without requests shall write next to nothing. */
const RENEWAL_MS = 300_000;

export class ServerIdentityController extends QueueController {
  readonly name = "server-identity";
  readonly #hostname: string;
  readonly #time: () => string;
  readonly #server: string;
  readonly #holder: string;

  constructor(hostname: string, time: () => string) {
    super();
    this.#hostname = hostname;
    this.#time = time;
    this.#server = serverName(hostname);
    this.#holder = `${this.#server}_${randomUUID()}`;
  }

  protected follow(): void {
    this.add(LEASE);
    this.add(TRACKING);
  }

  protected async sync(client: LocalClient, key: string): Promise<void> {
    if (key === TRACKING) return this.#track(client);
    await this.#renew(client);
    this.addAfter(LEASE, RENEWAL_MS);
  }

  async #renew(client: LocalClient): Promise<void> {
    const renewTime = this.#time().replace(/Z$/, ".000000Z");
    const spec = { holderIdentity: this.#holder, leaseDurationSeconds: LEASE_SECONDS, renewTime };
    const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver", "kubernetes.io/hostname": this.#hostname };
    const metadata = { name: this.#server, namespace: "kube-system", labels };
    const present = await ensure(client, LEASES, this.#server, { metadata, spec });
    if (present !== undefined) await callServer(client, "PATCH", `${LEASES}/${this.#server}`, { spec }, [404]);
  }

  async #track(client: LocalClient): Promise<void> {
    const metadata = { name: TRACKING, namespace: "kube-system" };
    await ensure(client, CONFIG_MAPS, TRACKING, { metadata, data: { since: this.#time().slice(0, 10) } });
  }
}

/** The name follows from that of the machine, so that a server that comes back has its former one. */
export function serverName(hostname: string): string {
  const hash = createHash("sha256").update(hostname).digest().subarray(0, 16);
  return `apiserver-${base32(hash)}`;
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** RFC 4648, in lower case and without padding. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let rest = 0;
  let bits = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(rest >> (bits - 5)) & 31];
    rest &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(rest << (5 - bits)) & 31] : text;
}
