import { api } from "#components/api/client.ts";
import { eventNames } from "#lib/contract/channel";
import type { EventName, EventPayload } from "#lib/contract/realtime";
import { clientOptions } from "./client-options.ts";

type Listener = {
  onEvent(name: EventName, payload: EventPayload): void;
  onState(connected: boolean): void;
};

/** Delay before a new connection after a permanent failure (no channel server, no permission). */
const retryMs = 10_000;

/** Subscribes to a project's channel until the signal aborts. Loads the library on first use. */
export async function follow(projectId: string, listener: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await connect(projectId, listener, signal).catch(() => {}); // No response; the page polls meanwhile.
    if (signal.aborted) return;
    listener.onState(false);
    await pause(retryMs, signal);
  }
}

/** Resolves when the library has given up or the signal aborts. */
async function connect(projectId: string, listener: Listener, signal: AbortSignal): Promise<void> {
  const [{ default: PusherClient }, { key, channel: name, ...address }] = await Promise.all([
    import("pusher-js"),
    api.get(`/realtime?projectId=${projectId}`, { signal }),
  ]);
  if (signal.aborted) return;
  const pusher = new PusherClient(key, {
    ...clientOptions({ key, ...address }),
    channelAuthorization: { endpoint: "/api/v1/realtime/auth", transport: "ajax" },
  });
  try {
    await new Promise<void>((end) => {
      signal.addEventListener("abort", () => end());
      pusher.connection.bind("state_change", ({ current }: { current: string }) => {
        if (current !== "connected") listener.onState(false);
        // Permanent rejection. The library itself retries the state "unavailable".
        if (current === "failed" || current === "disconnected") end();
      });
      const channel = pusher.subscribe(name);
      channel.bind("pusher:subscription_succeeded", () => listener.onState(true));
      channel.bind("pusher:subscription_error", () => end());
      for (const name of eventNames) {
        channel.bind(name, (payload: EventPayload) => listener.onEvent(name, payload));
      }
    });
  } finally {
    pusher.disconnect();
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
