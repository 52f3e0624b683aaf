// A process that does nothing but send events, to be killed: `{ url, settings }` in RELAY_ORDER.
import { createDatabase } from "#db/client";
import { startRelay } from "#lib/platform/realtime/start-relay";

const { url, settings } = JSON.parse(process.env.RELAY_ORDER!);
startRelay(createDatabase(url), settings);
