"use client";

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { keys } from "#components/api/queries";
import type { EventName } from "#lib/contract/realtime";
import { connect } from "./connect.tsx";

const pollingMs = 3_000;

/** What news of a kind makes stale. News carries ids, never data: what changed is read over the API. */
function staleKeys(projectId: string, name: EventName): QueryKey[] {
  switch (name) {
    case "job-updated":
      return [keys.jobs(projectId)];
    case "checkpoint-created":
    case "checkpoint-failed":
    case "checkpoint-deleted":
      return [keys.checkpoints(projectId), keys.jobs(projectId)];
    case "scenario-completed":
    case "scenario-failed":
      return [keys.scenarios(projectId), keys.jobs(projectId)];
    case "model-trained":
      return [keys.project(projectId)];
  }
}

const Live = createContext(false);

/** Whether news arrives over the channel; otherwise the page polls. */
export function useLive(): boolean {
  return useContext(Live);
}

export function RealtimeProvider({ projectId, children }: { projectId: string; children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState(false);

  useEffect(() => {
    const abort = new AbortController();
    let disconnect = () => {};
    connect(
      projectId,
      {
        onEvent: (name) => {
          for (const queryKey of staleKeys(projectId, name)) void client.invalidateQueries({ queryKey });
        },
        onState: (connected) => {
          setLive(connected);
          // What happened while nobody told us is read once.
          if (connected) void client.invalidateQueries({ queryKey: keys.project(projectId) });
        },
      },
      abort.signal,
    ).then(
      (end) => {
        disconnect = end;
        if (abort.signal.aborted) end();
      },
      () => setLive(false),
    );
    return () => {
      abort.abort();
      disconnect();
      setLive(false);
    };
  }, [projectId, client]);

  useEffect(() => {
    if (live) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") {
        void client.invalidateQueries({ queryKey: keys.project(projectId) });
      }
    }, pollingMs);
    return () => clearInterval(timer);
  }, [live, client, projectId]);

  return <Live value={live}>{children}</Live>;
}
