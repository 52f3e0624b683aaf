"use client";

import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { ApiError, api, keys } from "#components/api/client.ts";
import { eventNames } from "#lib/contract/channel";
import type { EventName, EventPayload } from "#lib/contract/realtime";
import { clientOptions } from "./client-options.ts";
import { mayHaveMissedEvents } from "./missed-events.ts";
import { rereading, staleKeys } from "./stale-keys.ts";

const pollingMs = 3_000;
/** Interval for a full refresh, because some changes have no event: of keys, members and saved comparisons. */
const pollingWhileLiveMs = 30_000;

/** Source of changes: the channel, polling, or none while the service does not answer. */
export type Connection = "live" | "polling" | "none";

const ConnectionContext = createContext<Connection>("polling");

export const useConnection = () => useContext(ConnectionContext);

export function RealtimeProvider({ projectId, children }: { projectId: string; children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  // Reads that failed during an outage would keep their errors.
  const reachable = useReachable(() => void client.invalidateQueries());
  const connection = !reachable ? "none" : live ? "live" : "polling";
  const reread = useMemo(() => rereading(client), [client]);

  useEffect(() => {
    const abort = new AbortController();
    /** Reads all data again if an event may have been lost, and discards older responses. */
    const catchUp = async () => {
      const { secondsSinceLastEvent } = await api
        .get(`/realtime?projectId=${projectId}`, { signal: abort.signal })
        .catch(() => ({ secondsSinceLastEvent: 0 }));
      // The first one stops while a laptop sleeps, the second one jumps when the clock is set.
      const openMs = Math.max(performance.now(), Date.now() - performance.timeOrigin);
      if (mayHaveMissedEvents(secondsSinceLastEvent, openMs))
        await client.invalidateQueries({ queryKey: keys.project(projectId) });
    };
    const listener = {
      onEvent(...event: Parameters<typeof staleKeys>) {
        for (const key of staleKeys(...event)) void reread(key);
      },
      onState: (connected: boolean) => {
        if (abort.signal.aborted) return;
        setLive(connected);
        if (connected) void catchUp();
      },
    };
    void follow(projectId, listener, abort.signal);
    return () => {
      abort.abort();
      setLive(false);
    };
  }, [projectId, client, reread]);

  useEffect(() => {
    const poll = () => {
      if (document.visibilityState === "visible") void reread(keys.project(projectId));
    };
    const timer = setInterval(poll, connection === "live" ? pollingWhileLiveMs : pollingMs);
    return () => clearInterval(timer);
  }, [connection, projectId, reread]);

  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

const checkMs = 5_000;

/** Returns whether an error shows an absent service: no response, or one that cannot answer now. */
const isOutage = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status >= 503);

/**
 * Returns whether the service answers. The realtime channel can stay connected while the web process or the database
 * is down, so its state alone would read "Live".
 *
 * @param onRecovery is called when the service answers again
 */
function useReachable(onRecovery: () => void): boolean {
  const client = useQueryClient();
  const [reachable, setReachable] = useState(true);
  const recovered = useEffectEvent(onRecovery);
  useEffect(() => {
    const abort = new AbortController();
    let isChecking = false;
    const check = async () => {
      if (isChecking || document.visibilityState !== "visible") return;
      isChecking = true;
      try {
        await api.get("/me", { signal: abort.signal });
        setReachable(true);
      } catch (error) {
        if (isOutage(error)) setReachable(false);
      } finally {
        isChecking = false;
      }
    };
    const timer = setInterval(check, checkMs);
    // A read can fail alone, such as one of a busy endpoint. The check decides, at the first failed attempt.
    const unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type !== "updated") return;
      const { action } = event;
      if ((action.type === "failed" || action.type === "error") && isOutage(action.error)) void check();
    });
    return () => {
      clearInterval(timer);
      unsubscribe();
      abort.abort();
    };
  }, [client]);
  const wasReachable = useRef(true);
  useEffect(() => {
    if (reachable && !wasReachable.current) recovered();
    wasReachable.current = reachable;
  }, [reachable]);
  return reachable;
}

type Listener = {
  onEvent(name: EventName, payload: EventPayload): void;
  onState(connected: boolean): void;
};

/** Delay before a new connection after a permanent failure (no channel server, no permission). */
const retryMs = 10_000;

/** Subscribes to a project's channel until the signal aborts. Loads the library on first use. */
async function follow(projectId: string, listener: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await connect(projectId, listener, signal).catch(() => {}); // No response; the page polls meanwhile.
    if (signal.aborted) return;
    listener.onState(false);
    await pause(retryMs, signal);
  }
}

/** Resolves when the library has given up or the signal aborts. */
async function connect(projectId: string, listener: Listener, signal: AbortSignal): Promise<void> {
  const [{ default: PusherClient }, { key, channel: name, ...server }] = await Promise.all([
    import("pusher-js"),
    api.get(`/realtime?projectId=${projectId}`, { signal }),
  ]);
  if (signal.aborted) return;
  const pusher = new PusherClient(key, {
    ...clientOptions(server),
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
