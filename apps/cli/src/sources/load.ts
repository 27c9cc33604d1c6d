// Reads the inputs of all commands: paths → objects with their places. Problems are collected, so that one run reports all of them;
// commands that need clean input end with code 2 if there are any.

import { pushAll } from "@celadon/base";
import {
  type IssuerRef,
  isSigningRequest,
  type Manifest,
  requestAround,
  UNKNOWN_ISSUER,
} from "@celadon/simulator/manifests";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";
import type { AuditEvent } from "./audit-event.ts";
import { decodeSource, FILE_BYTES, textSource } from "./decode.ts";
import { type Exclusion, type FoundFile, findFiles, NOTHING_EXCLUDED, readFailure } from "./find/find.ts";
import { placedIssue, type SourceIssue, type SourceNote, STDIN, syntaxIssue, warningNote } from "./issue.ts";
import { InputSize } from "./large-inputs.ts";
import { type KeepOptions, ManifestCollector, type ManifestStream } from "./manifest-stream.ts";
import { type Readable, type ReadIssueAt, readablesOf } from "./read-source.ts";
import {
  hasActionLine,
  hasPlaceholder,
  hasTemplateAction,
  isKustomization,
  KUSTOMIZATION_FILE,
  PLACEHOLDERS,
  recognisedFiles,
  type Skipped,
  skippedObject,
  TEMPLATE,
} from "./recognised.ts";
import { type Buildable, build } from "./rendered/build.ts";
import { byTemplate } from "./rendered/helm-output.ts";
import { originOfText } from "./signing-request.ts";
import { SkippedFiles } from "./skipped.ts";
import { issueOf, type Other, type RecordedReview, sortValues } from "./sort-values.ts";
import { SourceText } from "./source-text.ts";
import { type SuppressionComment, suppressionComments } from "./suppression-comments.ts";

export interface LoadOptions extends KeepOptions {
  /** The command that hints suggest to pipe into; `celadon check -f -` unless given. */
  readonly command?: string;
  /** The name of a file in positions and issues; its path unless given. */
  readonly label?: (path: string) => string;
  /** Largest file, in bytes. */
  readonly fileBytes?: number;
  /** Everything in a directory is meant to be a manifest: nothing is recognised as something else and skipped. */
  readonly strict?: boolean;
  /** Whether a file of a directory is excluded. */
  readonly exclusion?: Exclusion;
  /** The issuer of certificate signing requests. */
  readonly issuer?: IssuerRef;
  /** Kustomizations and charts to build. */
  readonly buildable?: Buildable;
}

export interface Loaded {
  /** In the order of paths, files and documents; all that stay in memory, which are all unless `passes` lets some go. */
  readonly manifests: readonly Manifest[];
  /** All of them. */
  readonly stream: ManifestStream;
  readonly reviews: readonly RecordedReview[];
  readonly events: readonly AuditEvent[];
  readonly issues: readonly SourceIssue[];
  /** The files that were left out on purpose. */
  readonly notes: readonly SourceNote[];
  /** Files that were read, also those with issues. */
  readonly files: readonly string[];
  /** Comments that suppress findings. */
  readonly suppressions: readonly SuppressionComment[];
}

/** The number of a file's issues that are reported one by one. */
const FILE_ISSUES = 100;

/** Reads that are under way at once: enough to hide the latency of a disk, few enough for any limit on open files. */
const READS = 32;

export async function loadManifests(paths: readonly string[], options: LoadOptions, io: Io): Promise<Loaded> {
  const settings: Settings = {
    ...options,
    command: options.command ?? "celadon check -f -",
    label: options.label ?? ((path) => path),
    fileBytes: options.fileBytes ?? FILE_BYTES,
    strict: options.strict ?? false,
    exclusion: options.exclusion ?? NOTHING_EXCLUDED,
  };
  const loading = new Loading(settings);
  const { buildable } = options;
  if (paths.length === 0 && buildable === undefined) {
    const hint = "name files or directories, or - for standard input";
    loading.issues.push({ code: "no_input", file: "", message: "nothing to read", hint });
  }
  const { files, issues, notes } = await findFiles(paths, settings.command, io, [], settings.exclusion);
  for (const issue of issues) {
    // A link of a directory that leads nowhere, as editors leave them for their locks.
    if (issue.code === "dangling" && !settings.strict && !paths.includes(issue.file)) {
      loading.skip(issue.file, { message: "skipped: symbolic link to a file that does not exist" });
    } else loading.issues.push(issue);
  }
  const recognised = settings.strict ? new Map() : await recognisedFiles(files, io);
  for (const [path, why] of recognised) loading.skip(path, why);
  const read = files.filter(({ path }) => !recognised.has(path));
  for await (const { file, source } of readInOrder(read, settings, io)) {
    const isPiped = file.path === STDIN && source instanceof SourceText;
    for (const part of isPiped ? await byTemplate(source, undefined, io) : [source]) loading.file(file, part);
  }
  for (const source of buildable === undefined ? [] : await build(buildable, io)) {
    loading.file({ path: source.file, named: true }, source);
  }
  if (loading.skippedAll) {
    const hint = "all files were skipped; a file that is named is read all the same";
    loading.issues.push({ code: "empty", file: paths.join(", "), message: "no manifests found", hint });
  }
  for (const { file, message } of notes) loading.notes.push({ file: settings.label(file), message });
  return loading.loaded();
}

type Settings = Required<Omit<LoadOptions, keyof KeepOptions | "issuer" | "buildable">> &
  Pick<LoadOptions, keyof KeepOptions | "issuer">;

interface ReadFile {
  readonly file: FoundFile;
  readonly source: SourceText | SourceIssue;
}

/** Several reads at a time, results in the order of the files. */
async function* readInOrder(files: readonly FoundFile[], settings: Settings, io: Io): AsyncGenerator<ReadFile> {
  const started: Promise<ReadFile>[] = [];
  for (let i = 0; i < files.length; i++) {
    while (started.length < Math.min(files.length, i + READS)) {
      started.push(readFile(files[started.length]!, settings, io));
    }
    const read = await started[i]!;
    io.signal.throwIfAborted();
    // A handed-over value is not kept.
    started[i] = NOTHING;
    yield read;
  }
}

const NOTHING: Promise<never> = new Promise(() => {});

async function readFile(file: FoundFile, { command, label, fileBytes }: Settings, io: Io): Promise<ReadFile> {
  const { path } = file;
  const failed = (code: SourceIssue["code"], message: string, hint?: string): ReadFile => ({
    file,
    source: { code, file: label(path), message, ...(hint && { hint }) },
  });
  if (path === STDIN && io.stdinIsTerminal) {
    return failed(
      "unreadable",
      "is a terminal",
      `pipe manifests into the command: kubectl get pods -o yaml | ${command}`,
    );
  }
  try {
    const text = path === STDIN ? undefined : io.files.text?.(path);
    const quick = text === undefined ? undefined : textSource(label(path), text, fileBytes);
    if (quick !== undefined) return { file, source: quick };
    const bytes = path === STDIN ? await io.stdin(fileBytes) : await io.files.read(path);
    return { file, source: decodeSource(label(path), bytes, fileBytes) };
  } catch (error) {
    io.signal.throwIfAborted();
    // A failure of git ends the run, and says so itself.
    if (error instanceof UsageError) throw error;
    if (error instanceof RangeError) return failed("too_large", error.message, "split it into several files");
    return failed("unreadable", readFailure(error));
  }
}

/** The result of reading a text: the number of documents, the number of our own, and the issues. */
interface ReadText {
  values: number;
  found: number;
  readonly issues: ReadIssueAt[];
  readonly others: Other[];
}

class Loading {
  readonly manifests: ManifestCollector;
  readonly reviews: RecordedReview[] = [];
  readonly events: AuditEvent[] = [];
  readonly issues: SourceIssue[] = [];
  readonly notes: SourceNote[] = [];
  readonly files: string[] = [];
  readonly suppressions: SuppressionComment[] = [];
  private readonly size = new InputSize();
  private readonly skipped = new SkippedFiles();
  private readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
    this.manifests = new ManifestCollector(settings);
  }

  get skippedAll(): boolean {
    return (
      this.skipped.count > 0 &&
      this.issues.length === 0 &&
      this.reviews.length === 0 &&
      this.events.length === 0 &&
      this.manifests.length === 0
    );
  }

  loaded(): Loaded {
    const { reviews, events, issues, files, suppressions } = this;
    const notes = [...this.notes, ...this.skipped.notes()];
    const stream = this.manifests.done();
    return { manifests: stream.kept, stream, reviews, events, issues, notes, files, suppressions };
  }

  file(file: FoundFile, source: SourceText | SourceIssue): void {
    this.files.push(file.path);
    if (source instanceof SourceText) {
      this.size.add(source.text.length);
      pushAll(this.suppressions, suppressionComments(source));
    }
    if (!(source instanceof SourceText)) this.issues.push(source);
    else if (isKustomization(file.path)) this.kustomization(file);
    else if (isSigningRequest(source.text)) this.signingRequest(source);
    else this.text(file, source);
  }

  /** A certificate signing request becomes a CertificateRequest that has it. */
  private signingRequest(source: SourceText): void {
    const { issuer = UNKNOWN_ISSUER } = this.settings;
    const object = requestAround(source, issuer);
    this.manifests.keep({ object, origin: originOfText(source) });
    const message = `read as a CertificateRequest for ${issuer.kind ?? "issuer"} "${issuer.name}"`;
    const hint = "--issuer names another one, or write a CertificateRequest";
    this.notes.push({ file: source.file, message, ...(this.settings.issuer === undefined && { hint }) });
  }

  private text(file: FoundFile, source: SourceText): void {
    const recorded = this.events.length + this.reviews.length;
    const notes = this.notes.length;
    const read = this.documents(file, source);
    const { values, found, others } = read;
    // A file of another program may have any oddity.
    if (found === 0 && !file.named) this.notes.length = notes;
    const isLog = this.events.length + this.reviews.length > recorded;
    const issues = isLog ? this.withoutCutLine(source, read.issues) : read.issues;
    // Next to manifests, a document that is not one is a mistake; alone in a directory, it is another program's file.
    const isOurs = file.named || found > 0 || others.some(({ code }) => code === "review");
    // Only what breaks at an action is a template; a manifest may be broken elsewhere and have braces in its texts.
    const mayBeOther = !file.named && !this.settings.strict && issues.length > 0;
    const breaksAt = (isOther: (line: string) => boolean): boolean =>
      mayBeOther && issues.some(({ line }) => isOther(source.lineText(line) ?? ""));
    const isForeign = mayBeOther && isOtherJson(file.path, source.text);
    if (breaksAt(hasTemplateAction) || (mayBeOther && hasActionLine(source.text))) this.skip(file.path, TEMPLATE);
    else if (breaksAt(hasPlaceholder)) this.skip(file.path, PLACEHOLDERS);
    else if (isForeign)
      this.skip(file.path, { message: "skipped: JSON of another program, not readable as a manifest" });
    else this.wrong(source, issues, isOurs ? others : []);
    if (!isOurs && others.length > 0) this.skip(file.path, { message: `skipped: ${others[0]!.message}` });
    if (values === 0 && issues.length === 0) this.empty(file, source);
  }

  /** A log that is still written ends in the middle of a line: all before it counts. */
  private withoutCutLine(source: SourceText, issues: readonly ReadIssueAt[]): readonly ReadIssueAt[] {
    const [cut, ...more] = issues;
    const lastLine = source.at(source.text.trimEnd().length).line;
    if (cut === undefined || more.length > 0 || cut.line !== lastLine) return issues;
    const message = `warning: the last line is cut off, so its event is skipped: ${cut.message}`;
    this.notes.push({ file: source.file, line: cut.line, column: cut.column, message });
    return [];
  }

  private documents(file: FoundFile, source: SourceText): ReadText {
    const all: ReadText = { values: 0, found: 0, issues: [], others: [] };
    for (const readable of readablesOf(source)) {
      for (let next: Readable | undefined = readable; next !== undefined; ) {
        const read = this.read(next, file);
        next = read === undefined ? next.whole : undefined;
        if (read === undefined) continue;
        all.values += read.values;
        all.found += read.found;
        for (const issue of read.issues) all.issues.push(issue);
        for (const other of read.others) all.others.push(other);
      }
    }
    return all;
  }

  /** Undefined, and nothing is added, if a part turns out to be something else. */
  private read({ parts, read }: Readable, file: FoundFile): ReadText | undefined {
    const all: ReadText = { values: 0, found: 0, issues: [], others: [] };
    const mark = this.manifests.mark();
    const [reviews, events, notes] = [this.reviews.length, this.events.length, this.notes.length];
    for (const part of parts) {
      const { values, issues, warnings } = read(part) ?? {};
      if (values === undefined) {
        this.manifests.reset(mark);
        this.reviews.length = reviews;
        this.events.length = events;
        this.notes.length = notes;
        return undefined;
      }
      const sorted = sortValues(values);
      for (const [nth, manifest] of sorted.manifests.entries()) {
        const why = file.named || this.settings.strict ? undefined : skippedObject(manifest.object);
        if (why === undefined) this.manifests.add(manifest, read, part, nth);
        else this.skip(file.path, why);
      }
      for (const warning of warnings?.slice(0, FILE_ISSUES) ?? []) this.notes.push(warningNote(warning));
      for (const review of sorted.reviews) this.reviews.push(review);
      for (const event of sorted.events) this.events.push(event);
      for (const issue of issues ?? []) all.issues.push(issue);
      for (const other of sorted.others) all.others.push(other);
      all.values += values.length;
      all.found += sorted.manifests.length + sorted.reviews.length + sorted.events.length;
    }
    return all;
  }

  /** The problems of a file, from its top. One that is something else altogether has something wrong in every line. */
  private wrong(source: SourceText, issues: readonly ReadIssueAt[], others: readonly Other[]): void {
    const template = issues.find(({ around }) => hasTemplateAction(around));
    const hint = `render the chart first: helm template . | ${this.settings.command}`;
    const shown = (issue: ReadIssueAt): SourceIssue =>
      issue === template
        ? placedIssue(
            "template",
            issue,
            source.lineText(issue.line),
            `Helm template, not a manifest: ${issue.message}`,
            hint,
          )
        : syntaxIssue(issue, source.lineText(issue.line));
    // A template has an issue for every action: one is enough.
    const read = (template ? [template] : issues).slice(0, FILE_ISSUES).map(shown);
    const found = [...read, ...others.slice(0, FILE_ISSUES - read.length).map(issueOf)];
    pushAll(
      this.issues,
      found.sort((a, b) => a.line! - b.line!),
    );
    const more = (template ? 1 : issues.length) + others.length - found.length;
    if (more > 0) this.issues.push({ code: "syntax", file: source.file, message: `${more} more issues in this file` });
  }

  private kustomization(file: FoundFile): void {
    const slash = file.path.lastIndexOf("/");
    const directory = slash === -1 ? "." : file.path.slice(0, slash) || "/";
    const hint = `build it first: kustomize build ${directory} | ${this.settings.command}`;
    const message = "kustomization, not a manifest";
    if (file.named) this.issues.push({ code: "kustomization", file: this.settings.label(file.path), message, hint });
    else this.skip(file.path, KUSTOMIZATION_FILE);
  }

  private empty(file: FoundFile, source: SourceText): void {
    const message = source.text === "" ? "is empty" : "has no documents";
    const hint = file.path === STDIN ? "the command before the pipe printed nothing" : undefined;
    if (file.named) this.issues.push({ code: "empty", file: source.file, message, ...(hint && { hint }) });
    else this.skip(file.path, { message: `skipped: ${message}` });
  }

  skip(path: string, why: Skipped): void {
    this.skipped.add(this.settings.label(path), why);
  }
}

/** Settings with comments and the like; a manifest that is broken has an apiVersion all the same. */
const isOtherJson = (path: string, text: string): boolean => path.endsWith(".json") && !text.includes("apiVersion");
