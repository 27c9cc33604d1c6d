// Reviews one subject in a world.

import type { Outcome, World } from "@celadon/simulator";
import type { Asked } from "./subjects.ts";

export function ask(world: World, asked: Asked, options: Parameters<World["review"]>[1] = {}): Promise<Outcome> {
  return "ask" in asked ? world.review(asked.ask, options) : world.reviewRequest(asked.request, options);
}
