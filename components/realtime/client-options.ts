import type { Options } from "pusher-js";
import type { RealtimeConnection } from "#lib/contract/realtime";

/** Returns the client options for any server of the protocol: Pusher, soketi, Reverb or the built-in one. */
export function clientOptions({
  host,
  port,
  tls,
  path,
}: Pick<RealtimeConnection, "host" | "port" | "tls" | "path">): Options {
  return {
    cluster: "mt1", // Required by the library; has no effect next to a host.
    wsHost: host,
    wsPort: port,
    wssPort: port,
    ...(path === undefined ? {} : { wsPath: path }),
    forceTLS: tls,
    enabledTransports: tls ? ["wss"] : ["ws"],
    disableStats: true,
  };
}
