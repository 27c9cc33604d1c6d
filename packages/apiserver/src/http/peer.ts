// Who a TLS connection belongs to: the user its client certificate names, once per connection.

import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Peer } from "../wire/call.ts";

const peers = new WeakMap<Socket, { readonly peer: Peer | undefined }>();

export function peerOf(socket: Socket): Peer | undefined {
  let known = peers.get(socket);
  if (known === undefined) peers.set(socket, (known = { peer: readPeer(socket) }));
  return known.peer;
}

function readPeer(socket: Socket): Peer | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const subject = socket.getPeerCertificate()?.subject as { CN?: string | string[]; O?: string | string[] } | undefined;
  const username = listOf(subject?.CN)[0];
  return username === undefined ? undefined : { username, groups: listOf(subject?.O) };
}

const listOf = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
