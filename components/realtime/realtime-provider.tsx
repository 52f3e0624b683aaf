"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { keys } from "#components/api/keys.ts";
import { follow } from "./connect.ts";
import { refetch, rereading, staleKey } from "./stale-keys.ts";

const pollingMs = 3_000;
/**
 * Interval for a full refresh, because some changes have no event: a renamed scenario, new data, another member's key.
 */
const pollingWhileLiveMs = 30_000;

const Live = createContext(false);

/** Whether events arrive over the channel; otherwise the page polls. */
export function useLive(): boolean {
  return useContext(Live);
}

export function RealtimeProvider({ projectId, children }: { projectId: string; children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  const reread = useMemo(() => rereading((queryKey) => refetch(client, queryKey)), [client]);

  useEffect(() => {
    const abort = new AbortController();
    const listener = {
      onEvent: (...event: Parameters<typeof staleKey>) => void reread(staleKey(...event)),
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
    const timer = setInterval(poll, live ? pollingWhileLiveMs : pollingMs);
    return () => clearInterval(timer);
  }, [live, projectId, reread]);

  return <Live value={live}>{children}</Live>;
}
