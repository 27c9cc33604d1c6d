/** ARCHITECTURE.md with the table and picture of packages as their manifests say. */
export function architecturePage(): string;
