import { useState } from "react";
import { flushSync } from "react-dom";

/**
 * Explains why a form cannot be sent yet. Its button stays enabled; pressing it shows the reason until it no longer
 * applies.
 *
 * @param reason null if the form can be sent
 */
export function useReason(reason: string | null): {
  /** Reason to show. */
  shown: string | undefined;
  /** Returns whether the form can be sent. Shows the reason otherwise. */
  ask(): boolean;
} {
  const [asked, setAsked] = useState<string | null>(null);
  return {
    shown: reason !== null && asked === reason ? reason : undefined,
    ask: () => {
      // At once, so that the caller can focus the field that shows the reason.
      flushSync(() => setAsked(reason));
      return reason === null;
    },
  };
}
