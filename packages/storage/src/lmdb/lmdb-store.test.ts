// The embedded store: the contract, and what is its own.

import { storageContract } from "../contract/contract.testing.ts";
import { freshDirectory } from "./directory.testing.ts";
import { openLmdb } from "./index.ts";

storageContract("LMDB", { open: () => openLmdb(freshDirectory()) });
