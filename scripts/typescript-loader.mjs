// Lets Node import TypeScript. Since 22.18 it does by itself; before, types are taken out here.

import { register } from "node:module";

if (!process.features.typescript) register("./typescript-hooks.mjs", import.meta.url);
