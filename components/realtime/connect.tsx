import type Pusher from "pusher-js";
import { api } from "#components/api/client";
import { EventName, type EventPayload, type RealtimeConnection } from "#lib/contract/realtime";

export type Listener = {
  onEvent(name: EventName, payload: EventPayload): void;
  onState(connected: boolean): void;
};

/** Subscribes to a project's channel; answers with what ends the subscription. The library is loaded when first needed. */
export async function connect(
  projectId: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<() => void> {
  const [{ default: PusherClient }, connection] = await Promise.all([
    import("pusher-js"),
    api.get<RealtimeConnection>(`/realtime?projectId=${projectId}`, { signal }),
  ]);
  if (signal.aborted) return () => {};
  const pusher: Pusher = new PusherClient(connection.key, {
    cluster: "mt1",
    wsHost: connection.host,
    wsPort: connection.port,
    wssPort: connection.port,
    forceTLS: connection.tls,
    enabledTransports: connection.tls ? ["wss"] : ["ws"],
    disableStats: true,
    channelAuthorization: { endpoint: "/api/v1/realtime/auth", transport: "ajax" },
  });
  const channel = pusher.subscribe(connection.channel);
  channel.bind("pusher:subscription_succeeded", () => listener.onState(true));
  channel.bind("pusher:subscription_error", () => listener.onState(false));
  pusher.connection.bind("state_change", ({ current }: { current: string }) => {
    if (current !== "connected") listener.onState(false);
  });
  for (const name of EventName.options) {
    channel.bind(name, (payload: EventPayload) => listener.onEvent(name, payload));
  }
  return () => pusher.disconnect();
}
