// /healthz, /livez and /readyz with their checks: `ok`, or the failures; with ?verbose every check.

import { textAnswer } from "../wire/answers.ts";
import type { Content } from "../wire/call.ts";

export interface Check {
  readonly name: string;
  readonly endpoints: readonly ("healthz" | "livez" | "readyz")[];
  isHealthy(): boolean;
}

const ENDPOINTS = ["healthz", "livez", "readyz"] as const;

export class Health {
  readonly #checks: readonly Check[];

  constructor(checks: readonly Check[]) {
    this.#checks = [
      { name: "ping", endpoints: ENDPOINTS, isHealthy: () => true },
      { name: "log", endpoints: ENDPOINTS, isHealthy: () => true },
      ...checks,
    ];
  }

  /** The checks as metrics: `/metrics/slis`. */
  metrics(): Content {
    const lines = this.#checks.flatMap(({ name, endpoints, isHealthy }) =>
      endpoints.map((type) => `kubernetes_healthcheck{name="${name}",type="${type}"} ${isHealthy() ? 1 : 0}`),
    );
    const head =
      "# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.\n# TYPE kubernetes_healthcheck gauge";
    return { code: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: `${[head, ...lines].join("\n")}\n` };
  }

  /** Paths of every endpoint and check. */
  paths(): readonly string[] {
    return this.#checks.flatMap(({ name, endpoints }) => endpoints.flatMap((at) => [`/${at}`, `/${at}/${name}`]));
  }

  /** Undefined when the path is no health endpoint. */
  answer(parts: readonly string[], query: URLSearchParams): Content | undefined {
    const endpoint = ENDPOINTS.find((name) => name === parts[0]);
    if (endpoint === undefined) return undefined;
    const checks = this.#checks.filter(({ endpoints }) => endpoints.includes(endpoint));
    if (parts.length === 1) return this.#all(endpoint, checks, query);
    const check = checks.find(({ name }) => name === parts.slice(1).join("/"));
    if (check === undefined) return undefined;
    return check.isHealthy() ? textAnswer(200, "ok") : textAnswer(500, `internal server error: ${check.name} failed\n`);
  }

  #all(endpoint: string, checks: readonly Check[], query: URLSearchParams): Content {
    const excluded = new Set(query.getAll("exclude"));
    const lines: string[] = [];
    let healthy = true;
    for (const check of checks) {
      if (excluded.has(check.name)) lines.push(`[+]${check.name} excluded: ok`);
      else if (check.isHealthy()) lines.push(`[+]${check.name} ok`);
      else {
        healthy = false;
        lines.push(`[-]${check.name} failed: reason withheld`);
      }
    }
    if (!healthy) return textAnswer(500, `${lines.join("\n")}\n${endpoint} check failed\n`);
    return textAnswer(200, query.has("verbose") ? `${lines.join("\n")}\n${endpoint} check passed\n` : "ok");
  }
}
