// Selected devices for people.

import type { Paint } from "../output/paint.ts";
import { unbroken } from "../output/visible.ts";
import type { DeviceRequest, SelectedDevice } from "./device-requests.ts";

export function devicesText(requests: readonly DeviceRequest[], paint: Paint): string {
  return requests.map((request) => requestText(request, paint)).join("\n");
}

function requestText({ resource, request, problem, devices, ...rest }: DeviceRequest, paint: Paint): string {
  const of = request === undefined ? "" : `  request ${request}${paint.dim(` of class ${rest.class}`)}`;
  const count = devices.filter(({ matches }) => matches).length;
  const head = `${paint.bold(resource)}${of}  ${problem ?? `${count} of ${devices.length} devices match`}`;
  return `${[head, ...devices.flatMap((device) => deviceLines(device, paint))].join("\n")}\n`;
}

function deviceLines({ device, matches, selector, error, cost }: SelectedDevice, paint: Paint): string[] {
  const mark = matches ? paint.green("✓") : error === undefined ? paint.dim("–") : paint.red("✗");
  const head = `  ${mark} ${device}${paint.dim(`   cost ${cost}`)}`;
  if (selector === undefined) return [head];
  const result = error === undefined ? "false" : paint.red(`error: ${unbroken(error)}`);
  return [head, `      ${selector.of} selectors[${selector.index}]: ${unbroken(selector.expression)} → ${result}`];
}
