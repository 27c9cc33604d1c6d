// The configuration file of a call as commands and their helpers use it. The file is read in configuration/.

import type { ConfigurationText } from "@celadon/testing/configuration";

/** A place in a file. */
export interface ConfiguredPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface CallConfiguration {
  readonly file: string;
  readonly text: ConfigurationText;
  /** A path of the file as the working directory sees it. */
  resolved(path: string): string;
  /** A path of the working directory as the file sees it. */
  relative(path: string): string;
  /** The numbers of the overrides for a file, in the order in which they are written. */
  overridesFor(file: string): readonly number[];
  /** The codes that are not reported in a file. */
  disabledIn(file: string): readonly string[];
  /** The setting of the overrides for a file; undefined if none has it. */
  unknownKindsIn(file: string): ConfigurationText["unknownKinds"];
  placeOf(path: readonly (string | number)[]): ConfiguredPlace | undefined;
  lineText(line: number): string | undefined;
}
