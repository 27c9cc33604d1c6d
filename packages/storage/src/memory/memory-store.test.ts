// The store in memory: the contract, and what is its own.

import { storageContract } from "../contract/contract.testing.ts";
import { openMemory } from "./index.ts";

storageContract("memory", { open: async () => openMemory() });
