/** Where links of a page lead, by the path of a file from the root of the repository. */
export const PAGES: string;
/** Directories of the packages that are published, from the root. */
export function publishedPackages(): string[];
/** The files of a published package by their paths in it, as bytes. */
export function stagePackage(path: string): Map<string, Uint8Array>;
