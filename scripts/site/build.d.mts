/** The files of the documentation's site by path. */
export function siteFiles(): Map<string, string | Uint8Array>;
