// Loaded first by the processes of crash tests (`node --import`): inserts fault points into the sources of the service.
import { registerHooks } from "node:module";
import { withFaultPoints } from "./fault-points.ts";

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith("file:") || url.includes("/node_modules/") || !loaded.source) return loaded;
    return { ...loaded, source: withFaultPoints(url, String(loaded.source)) };
  },
});
