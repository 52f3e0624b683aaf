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

/**
 * Returns whether the page's scripts handle its forms. Before, the browser itself would send a form, with its passwords in
 * the address.
 */
export const useIsInteractive = (): boolean => useOrigin() !== "";
