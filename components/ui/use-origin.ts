"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Scheme, host and port of this service as the browser reaches it; empty while the server renders. */
export function useOrigin(): string {
  return useSyncExternalStore(
    never,
    () => location.origin,
    () => "",
  );
}
