"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Returns scheme, host and port of this service as seen by the browser; empty during server rendering. */
export function useOrigin(): string {
  return useSyncExternalStore(
    never,
    () => location.origin,
    () => "",
  );
}
