// Every question about the manifests of a cluster, one after the other: for a command, a page or an editor that shows answers as they come.

import type { SimulatedCluster } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { ProveOptions } from "../question/search-all.ts";
import { askBinding } from "./ask-binding.ts";
import { askPolicy } from "./ask-policy.ts";
import { askWebhooks } from "./ask-webhooks.ts";
import type { AskedQuestion } from "./asked.ts";

/** Options for asking about a whole cluster. */
export interface AskOptions extends ProveOptions {
  /** The manifests to ask about; all by default. */
  readonly about?: (manifest: Manifest) => boolean;
}

/** Answers as they are found. Stop reading, or abort `signal`, to end the search. */
export async function* askAll(
  simulated: SimulatedCluster,
  { about = () => true, ...options }: AskOptions = {},
): AsyncGenerator<AskedQuestion, void, undefined> {
  for (const manifest of simulated.manifests("policy").filter(about)) yield* askPolicy(manifest, simulated, options);
  for (const manifest of simulated.manifests("webhooks").filter(about))
    yield* askWebhooks(manifest, simulated, options);
  for (const manifest of simulated.manifests("binding").filter(about)) yield* askBinding(manifest, simulated, options);
}
