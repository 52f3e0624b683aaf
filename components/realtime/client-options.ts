import type { Options } from "pusher-js";
import type { RealtimeConnection } from "#lib/contract/realtime";

/** How the browser's library reaches the server, whichever it is: Pusher, soketi, Reverb or the service's own. */
export function clientOptions({ host, port, tls, path }: Omit<RealtimeConnection, "channel">): Options {
  return {
    cluster: "mt1", // Demanded by the library, and of no effect beside a host.
    wsHost: host,
    wsPort: port,
    wssPort: port,
    ...(path === undefined ? {} : { wsPath: path }),
    forceTLS: tls,
    enabledTransports: tls ? ["wss"] : ["ws"],
    disableStats: true,
  };
}
