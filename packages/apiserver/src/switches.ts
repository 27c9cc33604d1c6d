// Switches that are on or off by name: a name that nothing has is a mistake.

/** An unknown name. */
export class UnknownNameError extends Error {}

/** kube-controller-manager calls its controllers the same, with an ending. */
export const shortName = (name: string): string => name.replace(/-controller$/, "");

/** Throws an UnknownNameError. */
export function checkNames(what: string, names: readonly string[], known: readonly { readonly name: string }[]): void {
  const unknown = names.find((name) => !known.some((flag) => flag.name === shortName(name)));
  if (unknown === undefined) return;
  throw new UnknownNameError(`unknown ${what} '${unknown}'; there are ${known.map(({ name }) => name).join(", ")}`);
}

/** Throws an UnknownNameError for a name that is known, and lacking here. */
export function checkHas(what: string, names: readonly string[], lacking: readonly string[]): void {
  const name = names.find((wanted) => lacking.includes(wanted));
  if (name !== undefined) throw new UnknownNameError(`${what} '${name}' is not supported`);
}
