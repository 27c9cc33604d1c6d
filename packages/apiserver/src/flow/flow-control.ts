// Priority and fairness: every request belongs to the first flow schema that matches it, and takes seats of the priority level of that
// schema. The objects of both kinds decide, from the first request after a change on. Upstream: apiserver pkg/util/flowcontrol and
// pkg/server/filters/priority-and-fairness.go.

import type { UserInfo } from "@celadon/admission";
import { BoundedMap } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { FlowSchema, PriorityLevelConfiguration } from "@celadon/kube/api/flowcontrol-v1";
import type { FlowMetrics } from "../metrics/flow-metrics.ts";
import type { ResourceCache } from "../store/cache.ts";
import type { RequestInfo } from "../wire/request-info.ts";
import { inMatchingOrder, matchesSchema } from "./classify.ts";
import { type FlowTable, tableOf } from "./dump.ts";
import { type Hand, handOf } from "./hand.ts";
import { kindOf, Level, lendAndBorrow, limitsOf, sharesOf } from "./level.ts";
import { mandatoryFlows } from "./mandatory-flows.ts";
import { type ArrivedRequest, type Flow, RequestSeat, type SeatControl } from "./request-seat.ts";
import { type RejectReason, Turn } from "./turn.ts";
import { type StoredAmount, widthOf } from "./width.ts";

export interface FlowControlOptions {
  readonly schemas: ResourceCache;
  readonly levels: ResourceCache;
  readonly metrics: FlowMetrics;
  /** Seats that the levels share. */
  readonly seats: number;
  /** Milliseconds until a request is answered; it may wait for seats for a quarter of them. */
  readonly requestTimeout: number;
  /** The stored objects of a resource; undefined if that is not known. */
  amountOf(info: RequestInfo): StoredAmount | undefined;
  /** Monotonic, in seconds. */
  readonly clock?: () => number;
}

const LENDING_MS = 10_000;
/** Hands of flows that are kept, per schema. */
const HANDS_KEPT = 10_000;
/** Requests that wait for a body or a version without their seats; further ones keep them. */
const MOST_RESTING = 5_000;

const LONG: ReadonlySet<string> = new Set(["attach", "exec", "proxy", "log", "portforward"]);

export class FlowControl implements SeatControl {
  readonly clock: () => number;
  readonly #options: FlowControlOptions;
  readonly #levels = new Map<string, Level>();
  #flows: readonly Flow[] = [];
  #schemasAt = -1;
  #levelsAt = -1;
  #resting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FlowControlOptions) {
    this.#options = options;
    this.clock = options.clock ?? (() => performance.now() / 1000);
    options.metrics.follow(() => this.levels);
  }

  /** Levels begin to lend seats to each other. */
  start(): void {
    this.#timer = setInterval(() => this.lend(), LENDING_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Levels that could use more seats borrow some from idle levels. */
  lend(): void {
    this.#options.metrics.fairShare(lendAndBorrow([...this.#levels.values()], this.clock()));
  }

  get levels(): readonly Level[] {
    this.#current();
    return [...this.#levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Levels, queues or requests, for operators. */
  dump(table: FlowTable, withDetails: boolean): string {
    return tableOf(table, this.levels, withDetails);
  }

  /** The seats of a request, not yet taken; undefined for requests that no level counts, because they last. */
  seatOf(request: ArrivedRequest): RequestSeat | undefined {
    const { user, info, timeout } = request;
    if (info.verb === "proxy" || LONG.has(info.subresource)) return undefined;
    const { requestTimeout } = this.#options;
    const patience = Math.min(timeout ?? requestTimeout, requestTimeout) / 4;
    return new RequestSeat(this, this.#flowOf(user, info), request, patience);
  }

  enter(flow: Flow, { user, info, query }: ArrivedRequest): Turn | RejectReason {
    const { level, name, schema, metrics, hands } = flow;
    const distinguisher = distinguisherOf(schema, user, info);
    const width = level.isExempt ? 1 : Math.min(level.widest, widthOf(info, query, this.#options.amountOf));
    metrics.estimated(width);
    const turn = new Turn(level.requests, { schema: name, distinguisher, user, info, arrivedAt: Date.now() }, width);
    const rejected = level.requests.enter(turn, handIn(hands, level, name, distinguisher));
    if (rejected !== undefined) return rejected;
    if (typeof level.kind === "object") metrics.queued(level.requests.queueLength(turn));
    return turn;
  }

  rest(): boolean {
    if (this.#resting >= MOST_RESTING) return false;
    this.#resting++;
    return true;
  }

  restOver(): void {
    this.#resting--;
  }

  #flowOf(user: UserInfo, info: RequestInfo): Flow {
    const flows = this.#current();
    for (const flow of flows) if (matchesSchema(flow.schema.spec?.rules ?? [], user, info)) return flow;
    // The last schema names all users who are authenticated or not; somebody in neither group belongs to it too.
    return flows.find(({ name }) => name === "catch-all")!;
  }

  /** The schemas in the order in which they are matched. */
  #current(): readonly Flow[] {
    const { schemas, levels } = this.#options;
    if (schemas.changedAt === this.#schemasAt && levels.changedAt === this.#levelsAt) return this.#flows;
    this.#schemasAt = schemas.changedAt;
    this.#levelsAt = levels.changedAt;
    this.#configure(withMandatory(levels, "PriorityLevelConfiguration") as readonly PriorityLevelConfiguration[]);
    this.#flows = inMatchingOrder(withMandatory(schemas, "FlowSchema") as readonly FlowSchema[]).flatMap((schema) => {
      const level = this.#levels.get(schema.spec?.priorityLevelConfiguration?.name ?? "");
      // A schema whose level does not exist matches nothing.
      return level === undefined ? [] : [this.#flow(schema, level)];
    });
    this.lend();
    return this.#flows;
  }

  #configure(configured: readonly PriorityLevelConfiguration[]): void {
    const shares = configured.reduce((sum, { spec = {} }) => sum + sharesOf(spec), 0);
    const names = new Set<string>();
    for (const { metadata, spec = {} } of configured) {
      const name = metadata?.name ?? "";
      names.add(name);
      const level = this.#levels.get(name) ?? this.#newLevel(name);
      level.configure(metadata?.uid ?? "", kindOf(spec), limitsOf(spec, this.#options.seats, shares));
    }
    // The requests of a deleted level end with its last number of seats.
    for (const name of this.#levels.keys()) if (!names.has(name)) this.#levels.delete(name);
  }

  #newLevel(name: string): Level {
    const noRoom = ({ request }: Turn): void => this.#options.metrics.noRoom(name, request.schema);
    const level = new Level(name, this.clock, noRoom);
    this.#levels.set(name, level);
    return level;
  }

  #flow(schema: FlowSchema, level: Level): Flow {
    const name = schema.metadata?.name ?? "";
    return {
      schema,
      name,
      level,
      headers: {
        "x-kubernetes-pf-flowschema-uid": schema.metadata?.uid ?? "",
        "x-kubernetes-pf-prioritylevel-uid": level.uid,
      },
      metrics: this.#options.metrics.of(name, level.name),
      hands: new BoundedMap(HANDS_KEPT),
    };
  }
}

/** The objects of a kind, and the mandatory ones. */
function withMandatory(cache: ResourceCache, kind: string): readonly KubeObject[] {
  const stored = cache.all().map(({ object }) => object);
  const names = new Set(stored.map(({ metadata }) => metadata?.name));
  const missing = mandatoryFlows().filter((object) => object.kind === kind && !names.has(object.metadata?.name));
  return [...stored, ...missing];
}

function distinguisherOf({ spec }: FlowSchema, { username = "" }: UserInfo, info: RequestInfo): string {
  switch (spec?.distinguisherMethod?.type) {
    case "ByUser":
      return username;
    case "ByNamespace":
      return info.namespace;
    default:
      return "";
  }
}

const NO_HAND: Hand = [0];

function handIn(hands: Map<string, Hand>, { kind }: Level, schema: string, distinguisher: string): Hand {
  if (typeof kind === "string") return NO_HAND;
  let hand = hands.get(distinguisher);
  if (hand === undefined) {
    hand = kind.queues === 1 ? NO_HAND : handOf(schema, distinguisher, kind.queues, kind.handSize);
    hands.set(distinguisher, hand);
  }
  return hand;
}
