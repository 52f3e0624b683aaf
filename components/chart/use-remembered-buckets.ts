"use client";

import { useSyncExternalStore } from "react";
import type { BucketChoice } from "./bucket-state.ts";

const keyOf = (projectId: string) => `buckets ${projectId}`;

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Keeps the aggregation of points from one scenario of a project to the next, until the tab closes. An aggregation in
 * the URL comes first.
 *
 * @param inUrl choice of the URL
 * @param setInUrl changes the choice of the URL
 * @returns the choice, and a function that sets and remembers it
 */
export function useRememberedBuckets(
  projectId: string,
  inUrl: BucketChoice,
  setInUrl: (choice: BucketChoice) => unknown,
): [BucketChoice, (change: Partial<BucketChoice>) => void] {
  const stored = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(keyOf(projectId)),
    () => null,
  );
  const isDefault = inUrl.bucket === "auto" && inUrl.aggregate === null;
  const choice: BucketChoice = isDefault && stored !== null ? JSON.parse(stored) : inUrl;
  return [
    choice,
    (change) => {
      const next = { ...choice, ...change };
      sessionStorage.setItem(keyOf(projectId), JSON.stringify(next));
      void setInUrl(next);
      for (const listener of listeners) listener();
    },
  ];
}
