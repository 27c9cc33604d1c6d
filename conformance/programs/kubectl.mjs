// kubectl: 183 commands, whose output and exit code are compared.

import { fileURLToPath } from "node:url";
import { compared } from "./compared.mjs";
import { installed, run, Skipped } from "./processes.mjs";

const TOUR = fileURLToPath(new URL("kubectl/tour.sh", import.meta.url));
const VERSION = "v1.37.1";

export const kubectl = {
  what: "kubectl: 183 commands, their output and exit codes",
  ...compared({
    name: "kubectl",
    version: VERSION,
    differences: {
      "kubectl version -o yaml": "the server says that it is Celadon",
      "kubectl get cs": "Kubernetes looks for a scheduler and a controller manager on the ports of its own machine",
      "kubectl get --raw /": "/flagz, /statusz and the check of a certificate for calls to itself are not served",
      "kubectl auth can-i --list --as system:serviceaccount:kt:default": "the roles are those of 1.36",
    },
    async prepare(_work, sides) {
      for (const tool of ["bash", "openssl", "timeout"]) installed(tool);
      // Other versions have other texts.
      const real = sides.find(({ name }) => name === "there");
      const program = real === undefined ? installed("kubectl") : `${real.assets}/kubectl`;
      const { output } = await run(program, ["version", "--client", "-o", "json"]);
      const found = /"gitVersion": *"([^"]+)"/.exec(output)?.[1] ?? "unknown";
      if (found !== VERSION) throw new Skipped(`kubectl is ${found}, and answers are recorded for ${VERSION}`);
      return { program: "bash", args: [TOUR], env: { KUBECTL: program } };
    },
  }),
};
