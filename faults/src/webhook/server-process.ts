// An API server as a process of its own over the embedded store, so that it can be killed and started again with what it has stored.
// Told where its objects are and at which port to listen; says when it is ready, and forgets its history when told to.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "@celadon/apiserver";
import { openLmdb } from "@celadon/storage/lmdb";

const [directory = "", port = "0"] = process.argv.slice(2);
const store = await openLmdb(join(directory, "objects"));
const launched = await launch({ store, directory, port: Number(port) });
writeFileSync(join(directory, "kubeconfig"), launched.kubeconfig, { mode: 0o600 });
process.send?.({ port: launched.port });
process.on("message", () => {
  const { objects } = launched.server;
  void objects.store.compact(objects.feed.revision).then(() => process.send?.({ compacted: true }));
});
// Never without its parent.
process.on("disconnect", () => process.exit(1));
