/** Names and versions of packages. */
export type Contained = readonly (readonly [name: string, version: string])[];
export function sbomOf(release: {
  readonly root: string;
  readonly version: string;
  readonly contained: ReadonlyMap<string, Contained>;
}): string;
export function packagesIn(notices: string): [string, string][];
