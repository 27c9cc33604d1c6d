// The command's own version, put in by scripts/bundle.mjs from package.json. Sources that run unbundled (tests) have none.

declare const CELADON_VERSION: string;

export const VERSION: string = typeof CELADON_VERSION === "string" ? CELADON_VERSION : "0.1.0";
