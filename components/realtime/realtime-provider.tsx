"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { keys } from "#components/api/keys.ts";
import { follow } from "./connect.ts";
import { refetch, rereading, staleKeys } from "./stale-keys.ts";
import { useReachable } from "./use-reachable.ts";

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
  const reread = useMemo(() => rereading((queryKey) => refetch(client, queryKey)), [client]);

  useEffect(() => {
    const abort = new AbortController();
    const listener = {
      onEvent(...event: Parameters<typeof staleKeys>) {
        for (const key of staleKeys(...event)) void reread(key);
      },
      onState: (connected: boolean) => {
        if (abort.signal.aborted) return;
        setLive(connected);
        // Refetches data that changed while the channel was down, and discards older responses.
        if (connected) void client.invalidateQueries({ queryKey: keys.project(projectId) });
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
