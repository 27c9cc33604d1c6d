// All requests about the files of a workspace: diagnostics, completion, navigation, actions, verdicts. Results for parts that did not change
// are kept (see docs/decisions).

import type { JsonPath } from "@celadon/base";
import { Linter } from "@celadon/lint";
import type { Problem } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import type { Action } from "./actions/action.ts";
import { actionsAt, fixAll } from "./actions/actions-at.ts";
import { clauseActions, conditionActions, flipActions } from "./actions/flip-actions.ts";
import { changesText, flipChanges, objectEdits } from "./actions/object-edits.ts";
import { pinActions } from "./actions/pin-action.ts";
import { completeAt } from "./completion/complete-at.ts";
import type { Completions } from "./completion/completion.ts";
import { cursorAt } from "./cursor/expression-at.ts";
import { configurationDiagnostics } from "./diagnostics/configuration-diagnostics.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { lintDiagnostic } from "./diagnostics/lint-diagnostics.ts";
import { syntaxDiagnostics } from "./diagnostics/syntax-diagnostics.ts";
import { formatManifestText } from "./format/format-manifest.ts";
import { largestCost, ruleCost } from "./hover/expression-cost.ts";
import { type Hover, hoverAt } from "./hover/hover-at.ts";
import { type SignatureHelp, signatureAt } from "./hover/signature-at.ts";
import { type Occurrence, occurrencesOf } from "./navigation/occurrences.ts";
import { type Renamed, rename, renameRange } from "./navigation/rename.ts";
import { resourceAt, symbolAt } from "./navigation/symbol-at.ts";
import { foldingRanges } from "./structure/folding.ts";
import { type InlayHint, inlayHints } from "./structure/hints.ts";
import { type DocumentSymbol, documentSymbols } from "./structure/symbols.ts";
import { type ColouredToken, colouredTokens } from "./structure/tokens.ts";
import { suiteDiagnostics } from "./suites/suite-diagnostics.ts";
import { type SuiteRun, SuiteRuns } from "./suites/suite-runs.ts";
import type { Location, TextEdit, TextRange } from "./text/range.ts";
import { cureOf } from "./verdicts/cure.ts";
import { type Flip, smallestFlip } from "./verdicts/flip.ts";
import { type CostOf, type Lens, lensesOf } from "./verdicts/lenses.ts";
import {
  type ObjectVerdict,
  type Pause,
  type RequestWithoutObject,
  Reviews,
  reviewOne,
} from "./verdicts/review-all.ts";
import { type SampleValue, sampleValue } from "./verdicts/sample-value.ts";
import { samplesFor, truthsOf } from "./verdicts/samples.ts";
import { type Strip, stripsOf } from "./verdicts/strips.ts";
import { placedSourcesOf, verdictDiagnostics } from "./verdicts/verdict-diagnostics.ts";
import { WorkspaceFiles, type WorkspaceOptions } from "./workspace-files.ts";

/** A change that turns a clause, in words and as an edit of the object's file. */
export interface FlipOffer {
  readonly flip: Flip;
  /** `Set spec.replicas to 5` */
  readonly title: string;
  readonly edits?: readonly TextEdit[];
}

/** Changes with which an object would be allowed. */
export type CureOffer = Omit<FlipOffer, "flip">;

/** Files and their meaning together; answers an editor's questions. */
export class Workspace extends WorkspaceFiles {
  readonly #linter: Linter;
  readonly #reviews = new Reviews();
  readonly #suites = new SuiteRuns();
  #linted:
    | { readonly revision: number; readonly problems: Promise<ReadonlyMap<string, readonly Diagnostic[]>> }
    | undefined;

  constructor(options: WorkspaceOptions = {}) {
    super(options);
    this.#linter = new Linter(options.minors);
  }

  /** Diagnostics from the file alone and its schemas: at once, for the text under the cursor. */
  async quickDiagnostics(uri: string): Promise<readonly Diagnostic[]> {
    const file = this.file(uri);
    if (file === undefined) return [];
    const { simulated } = this;
    const manifests = this.manifestsOf(uri);
    const problems = await this.#linter.own(manifests, simulated);
    const placed = this.placed();
    const own = problems.flatMap((problem) => lintDiagnostic(problem, (manifest) => placed.get(manifest)) ?? []);
    return inOrder([
      ...syntaxDiagnostics(file),
      ...configurationDiagnostics(file),
      ...own.map(({ uri: _, ...rest }) => rest),
    ]);
  }

  /** All lint problems of the file, with the bindings, params and definitions of the other files. */
  async diagnostics(uri: string): Promise<readonly Diagnostic[]> {
    const file = this.file(uri);
    if (file === undefined) return [];
    const linted = await this.lintAll();
    return inOrder([...syntaxDiagnostics(file), ...configurationDiagnostics(file), ...(linted.get(uri) ?? [])]);
  }

  /** The lint problems of all files, by file. */
  lintAll(pause?: () => Promise<void>): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const { revision } = this;
    if (this.#linted?.revision !== revision) this.#linted = { revision, problems: this.#lint(pause) };
    return this.#linted.problems;
  }

  async #lint(pause?: () => Promise<void>): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const { simulated } = this;
    const placed = this.placed();
    const manifests = this.allManifests();
    const { problems } = await this.#linter.lint(manifests, simulated, pause);
    const byFile = new Map<string, Diagnostic[]>();
    for (const problem of problems) {
      const found = lintDiagnostic(problem, (manifest) => placed.get(manifest));
      if (found === undefined) continue;
      const { uri, ...diagnostic } = found;
      const list = byFile.get(uri);
      if (list === undefined) byFile.set(uri, [diagnostic]);
      else list.push(diagnostic);
    }
    return byFile;
  }

  completion(uri: string, offset: number): Completions {
    const file = this.file(uri);
    return file === undefined ? { items: [], range: { start: offset, end: offset } } : completeAt(this, file, offset);
  }

  hover(uri: string, offset: number): Hover | undefined {
    const file = this.file(uri);
    return file && hoverAt(this, file, offset);
  }

  signature(uri: string, offset: number): SignatureHelp | undefined {
    const file = this.file(uri);
    return file && signatureAt(this, file, offset);
  }

  definition(uri: string, offset: number): readonly Location[] {
    return this.#occurrences(uri, offset).filter(({ isDefinition }) => isDefinition);
  }

  references(uri: string, offset: number): readonly Occurrence[] {
    return this.#occurrences(uri, offset);
  }

  #occurrences(uri: string, offset: number): readonly Occurrence[] {
    const file = this.file(uri);
    const symbol = file && symbolAt(this, file, offset);
    return symbol === undefined ? [] : occurrencesOf(this, symbol);
  }

  /** The range that a rename at a place would change. */
  renameRange(uri: string, offset: number): { readonly range: TextRange; readonly name: string } | undefined {
    const file = this.file(uri);
    return file && renameRange(this, file, offset);
  }

  rename(uri: string, offset: number, name: string): Renamed {
    const file = this.file(uri);
    return file === undefined ? { problem: "unknown file" } : rename(this, file, offset, name);
  }

  symbols(uri: string): readonly DocumentSymbol[] {
    const file = this.file(uri);
    return file === undefined ? [] : documentSymbols(file);
  }

  /** The resources of all files whose names have all letters of the query, in its order. */
  findSymbols(query: string): readonly { readonly uri: string; readonly symbol: DocumentSymbol }[] {
    const letters = [...query.toLowerCase()].filter((letter) => letter.trim() !== "");
    const isFound = (name: string): boolean => {
      let at = -1;
      return letters.every((letter) => (at = name.indexOf(letter, at + 1)) !== -1);
    };
    return [...this.files()].flatMap((file) =>
      documentSymbols(file)
        .filter(({ name }) => isFound(name.toLowerCase()))
        .map((symbol) => ({ uri: file.uri, symbol })),
    );
  }

  tokens(uri: string, within?: TextRange): readonly ColouredToken[] {
    const file = this.file(uri);
    return file === undefined ? [] : colouredTokens(file, within);
  }

  folding(uri: string): readonly TextRange[] {
    const file = this.file(uri);
    return file === undefined ? [] : foldingRanges(file);
  }

  /** Edits that lay out the expressions of a file. */
  format(uri: string, width?: number): readonly TextEdit[] {
    const file = this.file(uri);
    if (file === undefined) return [];
    const { edits } = formatManifestText(file.text, width === undefined ? {} : { width });
    return edits.map(({ start, end, text }) => ({ range: { start, end }, text }));
  }

  hints(uri: string, within: TextRange): readonly InlayHint[] {
    const file = this.file(uri);
    return file === undefined ? [] : inlayHints(file, this.sites, within);
  }

  /** Actions for a range, given its diagnostics. */
  actions(uri: string, range: TextRange, diagnostics: readonly Diagnostic[]): readonly Action[] {
    const file = this.file(uri);
    return file === undefined ? [] : actionsAt(this, file, range, diagnostics);
  }

  fixAll(uri: string, diagnostics: readonly Diagnostic[]): readonly Action[] {
    const file = this.file(uri);
    return file === undefined ? [] : fixAll(this, file, diagnostics);
  }

  /** The verdicts of the workspace's policies on its objects. Slow where much changed: `pause` is called between objects. */
  verdicts(pause?: Pause): Promise<readonly ObjectVerdict[]> {
    const { simulated } = this;
    return this.#reviews.all(this.allManifests(), simulated, pause);
  }

  /** Finds the place in an object at which each failed validation was decided. */
  blame(verdict: ObjectVerdict): Promise<ReadonlyMap<Problem, JsonPath>> {
    return this.#reviews.blame(verdict, this.simulated);
  }

  /** Verdicts as diagnostics, by file; of the given files alone where some are given. */
  async verdictDiagnostics(
    pause?: Pause,
    only?: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const verdicts = await this.verdicts(pause);
    const placed = this.placed();
    const speakers = placedSourcesOf(placed.values());
    const byFile = new Map<string, Diagnostic[]>();
    let blamed = 0;
    for (const verdict of verdicts) {
      const uri = placed.get(verdict.manifest)?.uri;
      if (uri === undefined || verdict.problems.length === 0 || only?.has(uri) === false) continue;
      await pause?.();
      const blame = blamed++ < BLAMED ? await this.blame(verdict) : new Map();
      const found = verdictDiagnostics(verdict, blame, placed, speakers);
      if (found.length > 0) byFile.set(uri, [...(byFile.get(uri) ?? []), ...found]);
    }
    return byFile;
  }

  /** The test suites of the workspace, run. */
  suites(pause?: Pause): Promise<readonly SuiteRun[]> {
    return this.#suites.all(this.placed().values(), pause);
  }

  /** Problems of test suites and failing tests, by file. */
  async suiteDiagnostics(pause?: Pause): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    return suiteDiagnostics(await this.suites(pause), this.placed());
  }

  async lenses(uri: string): Promise<readonly Lens[]> {
    const file = this.file(uri);
    if (file === undefined) return [];
    const { sites, simulated } = this;
    const costOf: CostOf = ({ resource }, path, text) => {
      const estimated = ruleCost(simulated, resource.object, path);
      if (estimated !== undefined) return estimated;
      const site = sites.at(resource.object, path);
      return site && largestCost(site, text);
    };
    const all = [...this.placed().values()];
    const verdicts = await this.verdicts();
    const truths = await truthsOf(this.simulated, file, verdicts);
    return lensesOf(file, { verdicts, costOf, all, suites: await this.suites(), truths });
  }

  /** The clauses of a file with their results for the objects; a clause without a result is left out. */
  async strips(
    uri: string,
    asked: readonly { readonly manifest: Manifest; readonly asked: RequestWithoutObject }[],
  ): Promise<readonly Strip[]> {
    const file = this.file(uri);
    if (file === undefined) return [];
    const verdicts: ObjectVerdict[] = [];
    for (const { manifest, asked: request } of asked) verdicts.push(await reviewOne(manifest, this.simulated, request));
    const data = { verdicts, truths: await truthsOf(this.simulated, file, verdicts) };
    return file.resources().flatMap((placed) => stripsOf(placed, data));
  }

  /** The smallest change of an object that turns the result of a clause, and the edit that makes it, if one can. */
  async flip({ placed, path }: Strip, verdict: ObjectVerdict): Promise<FlipOffer | undefined> {
    const flip = await smallestFlip(this.simulated, verdict, placed.resource.object, path);
    if (flip === undefined) return undefined;
    const own = this.placed().get(verdict.manifest);
    const edits = own && objectEdits(own, flipChanges(flip), flip.object);
    return { flip, title: changesText(flipChanges(flip)), ...(edits && { edits }) };
  }

  /** The changes that make a denied object allowed, in words and as edits of its file, if edits can make them. */
  async cure(manifest: Manifest, asked: RequestWithoutObject, pause?: Pause): Promise<CureOffer | undefined> {
    const { simulated } = this;
    const speakers = placedSourcesOf(this.placed().values());
    const verdict = await reviewOne(manifest, simulated, asked);
    const speakerOf = ({ by }: Problem) => by && speakers.get(`${by.kind} ${by.name}`)?.resource.object;
    const cure = await cureOf(simulated, verdict, speakerOf, pause);
    if (cure === undefined) return undefined;
    const own = this.placed().get(manifest);
    const edits = own && objectEdits(own, cure.changes, cure.object);
    return { title: changesText(cure.changes), ...(edits && { edits }) };
  }

  /** The value of the part of an expression at a place, for the pinned object or the first that it is evaluated for. */
  async valueAt(uri: string, offset: number): Promise<(SampleValue & { readonly range: TextRange }) | undefined> {
    const file = this.file(uri);
    const expression = file && cursorAt(file, offset).expression;
    if (expression === undefined) return undefined;
    for (const sample of await samplesFor(this, expression, await this.verdicts())) {
      const found = await sampleValue(this.simulated, expression, sample);
      if (found === undefined) continue;
      const { scalar } = expression;
      return { ...found, range: { start: scalar.toSource(found.start), end: scalar.toSource(found.end) } };
    }
    return undefined;
  }

  /**
   * At a place of an object: the change that turns a verdict or a match condition, the tests of both sides, and the object as a sample.
   * In a clause: the same for the pinned object, or the first that the clause is evaluated for. With `onlyProblems`, as while a cursor
   * moves, only problems of an object is looked into.
   */
  async verdictActions(
    uri: string,
    offset: number,
    options: { readonly onlyProblems?: boolean } = {},
  ): Promise<readonly Action[]> {
    const { onlyProblems = false } = options;
    const file = this.file(uri);
    const placed = file && resourceAt(file, offset);
    if (file === undefined || placed === undefined) return [];
    const verdicts = await this.verdicts();
    const verdict = verdicts.find(({ manifest }) => manifest === placed.resource.manifest);
    if (verdict === undefined) {
      const expression = onlyProblems ? undefined : cursorAt(file, offset).expression;
      return expression === undefined
        ? []
        : clauseActions(this, expression, await samplesFor(this, expression, verdicts));
    }
    return [
      ...(await flipActions(this, placed, { verdict, blame: await this.blame(verdict) }, offset)),
      ...(onlyProblems ? [] : await conditionActions(this, placed, verdict, offset)),
      ...pinActions(verdict, this.pinned),
    ];
  }
}

/** The greatest number of failures for which the deciding field is searched; for more, the object is shown. */
const BLAMED = 500;

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}
