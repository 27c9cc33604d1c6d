// Starts the page.

import { App } from "./app.ts";
import { schemeNow, setScheme } from "./view/scheme.ts";

setScheme(schemeNow());
new App().start();
if ("serviceWorker" in navigator) {
  // Without a service worker, the page works as long as there is a network.
  void navigator.serviceWorker.register("./service-worker.js").catch(() => undefined);
}
