// A list of policies or bindings, which leaves out those for other namespaces without looking at them.

import type { NamespaceDemand } from "./namespace-demand.ts";

interface Positions {
  /** The items for any namespace. */
  readonly anywhere: readonly number[];
  readonly byToken: ReadonlyMap<string, readonly number[]>;
}

export class ByNamespace<T> {
  readonly all: readonly T[];
  readonly #demands: () => readonly NamespaceDemand[];
  /** Made for the first request: policies that are added one after the other would make it for nothing. */
  #positions: Positions | undefined;

  constructor(all: readonly T[], demandOf: (item: T) => NamespaceDemand) {
    this.all = all;
    this.#demands = () => all.map(demandOf);
  }

  /** Whether any item demands something of the namespace. */
  get isSelective(): boolean {
    return this.#indexed().byToken.size > 0;
  }

  /** In order, every item that may apply in a namespace with these tokens. */
  in(tokens: readonly string[]): readonly T[] {
    const { anywhere, byToken } = this.#indexed();
    if (byToken.size === 0) return this.all;
    const found = tokens.flatMap((token) => byToken.get(token) ?? []);
    const positions = found.length === 0 ? anywhere : [...new Set([...anywhere, ...found])].sort((a, b) => a - b);
    return positions.map((position) => this.all[position]!);
  }

  #indexed(): Positions {
    this.#positions ??= this.#index();
    return this.#positions;
  }

  #index(): Positions {
    const demands = this.#demands();
    const counts = new Map<string, number>();
    for (const token of demands.flat(2)) counts.set(token, (counts.get(token) ?? 0) + 1);
    const anywhere: number[] = [];
    const byToken = new Map<string, number[]>();
    demands.forEach((demand, position) => {
      const tokens = rarest(demand, counts);
      if (tokens === undefined) anywhere.push(position);
      for (const token of tokens ?? []) {
        const positions = byToken.get(token);
        if (positions === undefined) byToken.set(token, [position]);
        else if (positions.at(-1) !== position) positions.push(position);
      }
    });
    return { anywhere, byToken };
  }
}

/** The list whose tokens the fewest items require: a label that all of them require excludes none. */
function rarest(demand: NamespaceDemand, counts: ReadonlyMap<string, number>): readonly string[] | undefined {
  if (demand.length < 2) return demand[0];
  const weights = demand.map((tokens) => tokens.reduce((sum, token) => sum + counts.get(token)!, 0));
  return demand[weights.indexOf(Math.min(...weights))];
}
