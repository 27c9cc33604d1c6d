// Reads the inputs of commands.

export { requestOfEvent } from "./audit-event.ts";
export { Exclusions } from "./find/exclusions.ts";
export type { Exclusion } from "./find/find.ts";
export { readExclusions } from "./find/ignore-files.ts";
export { type SourceIssue, type SourceNote, STDIN } from "./issue.ts";
export { parseKubeVersions } from "./kube-version.ts";
export { type Loaded, type LoadOptions, loadManifests } from "./load.ts";
export { type KeepOptions, ManifestStream } from "./manifest-stream.ts";
export { loadAt, loadOld } from "./old.ts";
export { type Pairs, pairManifests } from "./pairs.ts";
export { showIssues, showNotes } from "./show-issues.ts";
