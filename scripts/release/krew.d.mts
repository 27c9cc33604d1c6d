export function krewManifest(release: {
  readonly version: string;
  readonly archives: readonly { os: string; arch: string; file: string; sha256: string }[];
}): string;
