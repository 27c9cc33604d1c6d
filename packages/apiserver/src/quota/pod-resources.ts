// The resources of all containers of a pod: init containers run before the others, sidecars beside them. Upstream:
// component-helpers resource/helpers.go, plugin/pkg/admission/limitranger.

import { parseQuantity, type Quantity, quantityOf } from "@celadon/kube";
import type { Container, PodSpec } from "@celadon/kube/api/core-v1";
import { Invalid } from "@celadon/kube/errors";

export type ResourceList = Readonly<Record<string, string>>;
export type Quantities = Map<string, Quantity>;
type Part = "requests" | "limits";

const ZERO = quantityOf(0);
/** Named for the whole pod, they replace the sums. */
const POD_LEVEL: ReadonlySet<string> = new Set(["cpu", "memory"]);
const HUGE_PAGES = "hugepages-";

export function readQuantity(text: string | undefined): Quantity {
  const read = text === undefined ? ZERO : parseQuantity(text);
  return read instanceof Invalid ? ZERO : read;
}

export function quantitiesOf(list: ResourceList | undefined): Quantities {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, readQuantity(text)]));
}

export function podResources(spec: PodSpec, part: Part, withOverhead = false): Quantities {
  const of = ({ resources }: Container): Quantities => quantitiesOf(resources?.[part] as ResourceList | undefined);
  const sum: Quantities = new Map();
  for (const container of spec.containers ?? []) add(sum, of(container));
  const sidecars: Quantities = new Map();
  const initial: Quantities = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = of(container);
    if (container.restartPolicy === "Always") {
      add(sum, own);
      add(sidecars, own);
      raise(initial, sidecars);
    } else {
      add(own, sidecars);
      raise(initial, own);
    }
  }
  raise(sum, initial);
  for (const [name, quantity] of quantitiesOf(spec.resources?.[part] as ResourceList | undefined)) {
    if (POD_LEVEL.has(name) || name.startsWith(HUGE_PAGES)) sum.set(name, quantity);
  }
  if (withOverhead) addOverhead(sum, quantitiesOf(spec.overhead), part);
  return sum;
}

/** Limits grow only where there is a limit. */
function addOverhead(sum: Quantities, overhead: Quantities, part: Part): void {
  for (const [name, quantity] of overhead) {
    const known = sum.get(name);
    if (known !== undefined) sum.set(name, known.add(quantity));
    else if (part === "requests") sum.set(name, quantity);
  }
}

export function add(sum: Quantities, more: Quantities): void {
  for (const [name, quantity] of more) sum.set(name, sum.get(name)?.add(quantity) ?? quantity);
}

function raise(list: Quantities, other: Quantities): void {
  for (const [name, quantity] of other) {
    const known = list.get(name);
    if (known === undefined || quantity.compare(known) > 0) list.set(name, quantity);
  }
}
