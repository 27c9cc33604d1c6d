export function noticesOf(bundle: string, inputs: readonly string[]): string;
