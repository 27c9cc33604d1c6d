// Something an editor offers to do: edits of files, new files among them, or a sample to show.

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { TextEdit } from "../text/range.ts";

/** An offered edit: its title, and its changes. */
export interface Action {
  readonly title: string;
  readonly kind: "quickfix" | "refactor.rewrite" | "source.fixAll.celadon";
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>;
  /** Files to make, by address, with their text. */
  readonly create?: ReadonlyMap<string, string>;
  /** Makes an object the sample whose values hovers show: see `Workspace.pinned`. */
  readonly pin?: string;
  readonly fixes?: readonly Diagnostic[];
  /** The one to take when only one is. */
  readonly preferred?: boolean;
}
