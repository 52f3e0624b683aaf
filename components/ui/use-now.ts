"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * Returns the present time in milliseconds; null while the server renders and the browser takes its page over. Their
 * clocks and zones differ, so texts that depend on them would not match, and React would discard the server's page.
 */
export function useNow(): number | null {
  const isTaken = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return isTaken ? Date.now() : null;
}
