// The user of a TLS connection: the one its client certificate names. The certificate is read once per connection, and its time is checked
// for every request: connections live longer than some certificates.

import type { Socket } from "node:net";
import { type DetailedPeerCertificate, TLSSocket } from "node:tls";
import { certificateUser } from "../authn/certificate-user.ts";
import type { Peer } from "../wire/call.ts";

/** A verified user and when the certificates behind it are valid, in milliseconds since 1970. */
interface Verified {
  readonly peer: Peer;
  readonly from: number;
  readonly until: number;
}

const known = new WeakMap<Socket, Verified | "nobody">();

export function peerOf(socket: Socket): Peer | undefined {
  let verified = known.get(socket);
  if (verified === undefined) known.set(socket, (verified = readPeer(socket)));
  if (verified === "nobody") return undefined;
  const now = Date.now();
  return now < verified.from || now > verified.until ? undefined : verified.peer;
}

function readPeer(socket: Socket): Verified | "nobody" {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return "nobody";
  const certificate = socket.getPeerCertificate(true);
  // Without a certificate the object is empty.
  if (certificate?.raw === undefined) return "nobody";
  const peer = certificateUser(certificate.raw);
  return peer === undefined ? "nobody" : { peer, ...validity(certificate) };
}

/** When a certificate and all above it are valid. */
function validity(leaf: DetailedPeerCertificate): { readonly from: number; readonly until: number } {
  let from = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  const seen = new Set<DetailedPeerCertificate>();
  for (let at: DetailedPeerCertificate | undefined = leaf; at?.raw !== undefined && !seen.has(at); ) {
    seen.add(at);
    from = Math.max(from, Date.parse(at.valid_from));
    until = Math.min(until, Date.parse(at.valid_to));
    at = at.issuerCertificate;
  }
  return { from, until };
}
