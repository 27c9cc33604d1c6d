// Counters, gauges and histograms in the text format that Prometheus reads. Labels are bounded by who uses them.

type Labels = Readonly<Record<string, string>>;

interface Metric {
  readonly name: string;
  text(): string;
  take(): MetricCounts[string] | undefined;
  absorb(counts: MetricCounts[string]): void;
}

/** The observations of one label set of a histogram. */
interface Observations {
  readonly labels: Labels;
  /** By bucket. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** The count of one label set. */
type Count = number | Observations;

/** Counts as data that can be sent to another thread: by metric, then by labels. */
export type MetricCounts = Readonly<Record<string, Readonly<Record<string, Count>>>>;

/** The metrics of a program, written in Prometheus' text format. */
export class Metrics {
  readonly #metrics: Metric[] = [];

  counter(name: string, help: string): Counter {
    return this.#add(new Counter(name, help, "counter"));
  }

  gauge(name: string, help: string): Counter {
    return this.#add(new Counter(name, help, "gauge"));
  }

  histogram(name: string, help: string, buckets: readonly number[]): Histogram {
    return this.#add(new Histogram(name, help, buckets));
  }

  /** Returns the page that a scrape reads. */
  text(): string {
    return this.#metrics.map((metric) => metric.text()).join("");
  }

  /** Takes the counts since the last time. Gauges stay. */
  take(): MetricCounts {
    const taken: Record<string, MetricCounts[string]> = {};
    for (const metric of this.#metrics) {
      const counts = metric.take();
      if (counts !== undefined) taken[metric.name] = counts;
    }
    return taken;
  }

  /** Adds what metrics of the same names counted elsewhere. */
  absorb(counts: MetricCounts): void {
    for (const metric of this.#metrics) {
      const own = counts[metric.name];
      if (own !== undefined) metric.absorb(own);
    }
  }

  #add<M extends Metric>(metric: M): M {
    this.#metrics.push(metric);
    return metric;
  }
}

/** A counter, or a gauge: one that may also be set. */
export class Counter implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #type: "counter" | "gauge";
  readonly #values = new Map<string, number>();

  constructor(name: string, help: string, type: "counter" | "gauge") {
    this.name = name;
    this.#help = help;
    this.#type = type;
  }

  add(labels: Labels = {}, by = 1): void {
    const key = labelText(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  /** A counter of one label set, for callers that count often. */
  with(labels: Labels): (by?: number) => void {
    const key = labelText(labels);
    return (by = 1) => this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  set(value: number, labels: Labels = {}): void {
    this.#values.set(labelText(labels), value);
  }

  /** Forgets all label sets. */
  reset(): void {
    this.#values.clear();
  }

  take(): Readonly<Record<string, number>> | undefined {
    if (this.#type === "gauge" || this.#values.size === 0) return undefined;
    const taken = Object.fromEntries(this.#values);
    this.#values.clear();
    return taken;
  }

  absorb(counts: MetricCounts[string]): void {
    for (const [labels, count] of Object.entries(counts)) {
      if (typeof count === "number") this.#values.set(labels, (this.#values.get(labels) ?? 0) + count);
    }
  }

  text(): string {
    const lines = [...this.#values].map(([labels, value]) => `${this.name}${labels} ${numberText(value)}\n`);
    return head(this.name, this.#help, this.#type) + lines.join("");
  }
}

/** Takes the observations of one label set. */
export interface Observer {
  observe(value: number): void;
}

class Series implements Observer {
  readonly labels: Labels;
  readonly counts: number[];
  sum = 0;
  count = 0;
  readonly #buckets: readonly number[];

  constructor(labels: Labels, buckets: readonly number[]) {
    this.labels = labels;
    this.#buckets = buckets;
    this.counts = buckets.map(() => 0);
  }

  observe(value: number): void {
    this.sum += value;
    this.count++;
    for (let at = 0; at < this.counts.length; at++) {
      if (value > this.#buckets[at]!) continue;
      this.counts[at]!++;
      return;
    }
  }

  /** Returns the observations, and begins anew. */
  take(): Observations {
    const { labels, sum, count } = this;
    const taken = { labels, counts: [...this.counts], sum, count };
    this.counts.fill(0);
    this.sum = 0;
    this.count = 0;
    return taken;
  }

  absorb({ counts, sum, count }: Observations): void {
    for (let at = 0; at < this.counts.length; at++) this.counts[at]! += counts[at] ?? 0;
    this.sum += sum;
    this.count += count;
  }
}

/** Durations or sizes counted in buckets. */
export class Histogram implements Metric {
  readonly name: string;
  readonly #help: string;
  readonly #buckets: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, help: string, buckets: readonly number[]) {
    this.name = name;
    this.#help = help;
    this.#buckets = buckets;
  }

  observe(value: number, labels: Labels = {}): void {
    this.with(labels).observe(value);
  }

  /** The observations of one label set, for callers that observe often. */
  with(labels: Labels): Observer {
    return this.#seriesOf(labels);
  }

  #seriesOf(labels: Labels): Series {
    const key = labelText(labels);
    let series = this.#series.get(key);
    if (series === undefined) this.#series.set(key, (series = new Series(labels, this.#buckets)));
    return series;
  }

  take(): MetricCounts[string] | undefined {
    const observed = [...this.#series].filter(([, { count }]) => count > 0);
    return observed.length === 0
      ? undefined
      : Object.fromEntries(observed.map(([key, series]) => [key, series.take()]));
  }

  absorb(counts: MetricCounts[string]): void {
    for (const observed of Object.values(counts)) {
      if (typeof observed !== "number") this.#seriesOf(observed.labels).absorb(observed);
    }
  }

  text(): string {
    const { name } = this;
    const lines = [...this.#series.values()].map(({ labels, counts, sum, count }) => {
      let below = 0;
      const buckets = this.#buckets.map((bound, i) => {
        below += counts[i]!;
        return `${name}_bucket${labelText({ ...labels, le: numberText(bound) })} ${below}\n`;
      });
      const rest = labelText(labels);
      return `${buckets.join("")}${name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}\n${name}_sum${rest} ${numberText(sum)}\n${name}_count${rest} ${count}\n`;
    });
    return head(name, this.#help, "histogram") + lines.join("");
  }
}

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const numberText = (n: number): string => (Number.isFinite(n) ? String(n) : n > 0 ? "+Inf" : n < 0 ? "-Inf" : "NaN");
