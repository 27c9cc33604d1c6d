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
