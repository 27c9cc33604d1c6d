// npm run vsix: the extension as a package that VS Code installs, in dist/celadon.vsix. Nothing is published.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleClient } from "../../scripts/bundle-client.mjs";
import { pack } from "./dist/pack.js";

const folder = fileURLToPath(new URL(".", import.meta.url));

console.log(await pack({ folder, root: join(folder, "../.."), bundleClient }));
