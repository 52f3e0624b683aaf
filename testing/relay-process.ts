// Process that only relays events, so that a test can kill it. RELAY_ORDER contains `{ url, settings }`.
import { createDatabase } from "#db/client";
import { startRelay } from "#lib/platform/realtime/start-relay";

const { url, settings } = JSON.parse(process.env.RELAY_ORDER!);
startRelay(createDatabase(url), settings);
