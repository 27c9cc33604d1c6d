export function readResults(): readonly unknown[];
