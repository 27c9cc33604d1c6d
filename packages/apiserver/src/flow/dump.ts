// Tables of levels, queues and requests for operators, as comma-separated columns that also line up. Upstream: apiserver
// pkg/util/flowcontrol/apf_controller_debug.go.

import type { Level } from "./level.ts";
import type { Turn } from "./turn.ts";

export type FlowTable = "dump_priority_levels" | "dump_queues" | "dump_requests";

export function isFlowTable(name: string): name is FlowTable {
  return name === "dump_priority_levels" || name === "dump_queues" || name === "dump_requests";
}

type Row = readonly (string | number | boolean)[];

export function tableOf(table: FlowTable, levels: readonly Level[], withDetails: boolean): string {
  switch (table) {
    case "dump_priority_levels":
      return aligned([LEVEL_COLUMNS, ...levels.map(levelRow)]);
    case "dump_queues":
      return aligned([QUEUE_COLUMNS, ...levels.flatMap(queueRows)]);
    case "dump_requests":
      return aligned([
        [...REQUEST_COLUMNS, ...(withDetails ? DETAIL_COLUMNS : [])],
        ...levels.flatMap((level) => requestRows(level, withDetails)),
      ]);
  }
}

// biome-ignore format: one table
const LEVEL_COLUMNS = ["PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing", "WaitingRequests", "ExecutingRequests", "DispatchedRequests", "RejectedRequests", "TimedoutRequests", "CancelledRequests"];
// biome-ignore format: one table
const QUEUE_COLUMNS = ["PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests", "SeatsInUse", "NextDispatchR", "InitialSeatsSum", "MaxSeatsSum", "TotalWorkSum"];
// biome-ignore format: one table
const REQUEST_COLUMNS = ["PriorityLevelName", "FlowSchemaName", "QueueIndex", "RequestIndexInQueue", "FlowDistingsher", "ArriveTime", "InitialSeats", "FinalSeats", "AdditionalLatency", "StartTime"];
const DETAIL_COLUMNS = ["UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion", "Resource", "SubResource"];

function levelRow({ name, requests }: Level): Row {
  const active = requests.queues.filter(({ waiting }) => waiting.size > 0).length;
  const { isIdle, waiting, executing, dispatched, rejected, timedOut } = requests;
  // A level that is to be removed is not shown, and requests that wait too long count as cancelled, as upstream.
  return [name, active, isIdle, false, waiting, executing, dispatched, rejected, 0, timedOut];
}

function queueRows({ name, requests }: Level): Row[] {
  return requests.queues.map(({ waiting, working, seatsInUse, seatsWaiting, nextStart }, index) => {
    const work = `${requests.workOf(seatsWaiting).toFixed(8)}ss`;
    return [
      name,
      index,
      waiting.size,
      working.size,
      seatsInUse,
      `${nextStart.toFixed(8)}ss`,
      seatsWaiting,
      seatsWaiting,
      work,
    ];
  });
}

function requestRows({ name, requests }: Level, withDetails: boolean): Row[] {
  const row = (turn: Turn, queue: number, place: number): Row => {
    const { schema, distinguisher, arrivedAt } = turn.request;
    const started = turn.isExecuting ? timeText(requests.startTime(turn)) : NEVER;
    const { width } = turn;
    const own = [name, schema, queue, place, distinguisher, timeText(arrivedAt), width, 0, "0s", started];
    return withDetails ? [...own, ...detailsOf(turn)] : own;
  };
  return [
    ...requests.queues.flatMap(({ waiting, working }, index) => [
      ...[...waiting].map((turn, place) => row(turn, index, place)),
      ...[...working].map((turn) => row(turn, index, -1)),
    ]),
    ...[...requests.unqueued].map((turn) => row(turn, -1, -1)),
  ];
}

function detailsOf({ request: { user, info } }: Turn): Row {
  const { verb, path, namespace, name, group, version, resource, subresource } = info;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return [user.username ?? "", verb, path, namespace, name, apiVersion, resource, subresource];
}

const NEVER = "0001-01-01T00:00:00Z";
const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Names and paths come from clients: control characters would end a row. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const shown = (value: string | number | boolean): string => String(value).replace(/[\u0000-\u001f\u007f]/g, "?");

function aligned(rows: readonly Row[]): string {
  const texts = rows.map((row) => row.map(shown));
  const widths: number[] = [];
  for (const row of texts) for (const [at, text] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, text.length);
  return texts
    .map((row) => row.map((text, at) => (at < row.length - 1 ? `${text},`.padEnd(widths[at]! + 2) : text)).join(""))
    .map((line) => `${line}\n`)
    .join("");
}
