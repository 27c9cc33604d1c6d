// The page of capacity has the figures that were kept, and no others.

import { expect, test } from "vitest";
import { readPage, readResults, withFigures } from "./capacity-page.ts";

test("docs/reference/capacity.md has the kept figures", () => {
  const page = readPage();
  for (const name of ["load", "requests", "objects", "policies", "watchers", "replicas"]) {
    expect(page).toContain(`<!-- figures: ${name} -->`);
  }
  expect(withFigures(page, readResults())).toBe(page);
});

test("a table of each part that was measured", () => {
  const page =
    "before\n<!-- figures: replicas -->\nold\n<!-- end -->\nbetween\n<!-- figures: objects -->\n<!-- end -->\n";
  const replicas = [
    {
      servers: 1,
      createsPerSecond: 1234.5,
      cpuMsPerCreate: 0.8123,
      readsPerSecond: 9000,
      cpuMsPerRead: 0.3,
      memoryMiB: 99.6,
    },
  ];
  expect(withFigures(page, { requests: [], capacity: { replicas }, loads: [] })).toBe(`before
<!-- figures: replicas -->

| servers | creates a second | CPU of a create | reads a second | CPU of a read | memory of all |
| ---: | ---: | ---: | ---: | ---: | ---: |
| 1 | 1,235 | 0.81 ms | 9,000 | 0.3 ms | 100 MiB |

<!-- end -->
between
<!-- figures: objects -->

Not measured yet: \`npm run bench -- capacity\` takes these figures.

<!-- end -->
`);
});
