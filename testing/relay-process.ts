// Process that only relays events, so that a test can kill it. RELAY_ORDER contains `{ url, settings }`.
import { flushCompileCache } from "node:module";
import { createDatabase } from "#db/client";
import { startRelay } from "#lib/platform/realtime/start-relay";

const { url, settings } = JSON.parse(process.env.RELAY_ORDER!);
flushCompileCache(); // A killed process does not write it, and the next one would strip all types again.
startRelay(createDatabase(url), settings);
