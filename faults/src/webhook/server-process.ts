// An API server over the embedded store in its own process, so that it can be killed and restarted with its data. Its arguments are the
// data directory and the port; it reports when it is ready, and compacts its history on request.

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
// Exits when its parent exits.
process.on("disconnect", () => process.exit(1));
