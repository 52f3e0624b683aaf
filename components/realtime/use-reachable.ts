"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError, api } from "#components/api/client.ts";

const checkMs = 5_000;

/** Returns whether an error shows an absent service: no response, or one that cannot answer now. */
export const isOutage = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status >= 503);

/**
 * Returns whether the service answers. The realtime channel can stay connected while the web process or the database
 * is down, so its state alone would read "Live".
 *
 * @param onRecovery is called when the service answers again
 */
export function useReachable(onRecovery: () => void): boolean {
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
