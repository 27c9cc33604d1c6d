export function readPage(): string;
export function withOutcomes(page: string, results: readonly unknown[]): string;
