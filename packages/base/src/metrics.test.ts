import { expect, test } from "vitest";
import { Metrics } from "./metrics.ts";

test("the text that Prometheus reads", () => {
  const metrics = new Metrics();
  const counter = metrics.counter("c_total", "What\nit is.");
  counter.add({ name: 'a"b\\c\n' });
  counter.add({ name: 'a"b\\c\n' }, 2);
  metrics.gauge("g", "Now.").set(1.5);
  const histogram = metrics.histogram("h", "Times.", [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 5]) histogram.observe(value, { k: "v" });
  expect(metrics.text()).toBe(`# HELP c_total What\\nit is.
# TYPE c_total counter
c_total{name="a\\"b\\\\c\\n"} 3
# HELP g Now.
# TYPE g gauge
g 1.5
# HELP h Times.
# TYPE h histogram
h_bucket{k="v",le="0.1"} 2
h_bucket{k="v",le="1"} 3
h_bucket{k="v",le="+Inf"} 4
h_sum{k="v"} 5.65
h_count{k="v"} 4
`);
});

test("counts of one place are added in another, once", () => {
  const make = () => {
    const metrics = new Metrics();
    const counter = metrics.counter("c_total", "Counted.");
    const gauge = metrics.gauge("g", "Now.");
    const histogram = metrics.histogram("h", "Times.", [0.1, 1]);
    return { metrics, counter, gauge, histogram };
  };
  const [here, there] = [make(), make()];
  for (const { counter, gauge, histogram } of [here, there]) {
    counter.add({ a: "1" });
    gauge.set(7);
    histogram.observe(0.5, { a: "1" });
  }
  // Code that counts often keeps a counter of a label set, which continues after its counts were taken.
  const [often, observer] = [there.counter.with({ a: "2" }), there.histogram.with({ a: "2" })];
  const send = (): void => here.metrics.absorb(structuredClone(there.metrics.take()));
  often();
  observer.observe(5);
  send();
  often();
  observer.observe(0.01);
  send();
  send();
  const text = here.metrics.text();
  for (const line of [
    'c_total{a="1"} 2',
    'c_total{a="2"} 2',
    "g 7",
    'h_bucket{a="1",le="1"} 2',
    'h_count{a="1"} 2',
    'h_bucket{a="2",le="0.1"} 1',
    'h_bucket{a="2",le="+Inf"} 2',
    'h_sum{a="2"} 5.01',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});
