// Lists of rules, in which `*` stands for every name.

/** Whether a list has a name, or all names. */
export function hasName(list: readonly string[] | undefined, name: string): boolean {
  return list?.some((text) => text === "*" || text === name) ?? false;
}
