// Strings of a decoded configuration, where Go has an empty one for one that is absent.

/** Go's zero value for an absent string. */
export const textOf = (value: string | null | undefined): string => value ?? "";

/** Go's empty list for an absent one. */
export const listOf = <T>(value: readonly T[] | null | undefined): readonly T[] => value ?? [];
