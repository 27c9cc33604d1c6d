// The programs of the campaign, in the order of the page.

import { clients } from "./clients.mjs";
import { goSuite } from "./go-suite.mjs";
import { kubectl } from "./kubectl.mjs";

// biome-ignore format: one program per line
export const programs = [
  kubectl,
  ...clients,
  suite("controller-runtime", "sigs.k8s.io/controller-runtime", "v0.25.2", ["pkg/client", "pkg/cache", "pkg/webhook", "pkg/envtest", "pkg/internal/controller"]),
  suite("fluxcd-ssa",         "github.com/fluxcd/pkg/ssa",      "v0.78.0", [".", "jsondiff"]),
  suite("lws",                "sigs.k8s.io/lws",                "v0.9.0",  ["test/integration/webhooks", "test/integration/controllers"]),
  suite("karpenter",          "sigs.k8s.io/karpenter",          "v1.14.0", ["pkg/apis/v1", "pkg/controllers/nodeclaim/lifecycle", "pkg/controllers/node/termination"]),
  suite("fluxcd-runtime",     "github.com/fluxcd/pkg/runtime",  "v0.110.3", ["client", "controller", "events", "patch", "secrets"]),
  suite("trust-manager",      "github.com/cert-manager/trust-manager", "v0.25.0", ["test/integration/bundle", "test/integration/clusterbundle"]),
  suite("jobset",             "sigs.k8s.io/jobset",             "v0.12.0", ["test/integration/webhook", "test/integration/controller"]),
  suite("gateway-api",        "sigs.k8s.io/gateway-api",        "v1.4.1",  ["pkg/test/cel"]),
];

function suite(name, module, version, packages) {
  const paths = packages.map((path) => (path === "." ? "its root" : `\`${path}\``)).join(", ");
  return { what: `${module}: ${paths}`, ...goSuite({ name, module, version, packages }) };
}
