"use client";

import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";

/**
 * Collects input changes and renders them in the next animation frame. React alone would render after the frame, so the
 * change would appear one frame later, or together with that frame's own input.
 *
 * @param render sets state from the latest value of each property passed to `add` since the previous frame
 */
export function useFrame<T extends object>(render: (change: T) => void) {
  const pending = useRef<T | null>(null);
  const latest = useRef(render);
  latest.current = render;
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return {
    /** Pending values; further changes build on them. */
    pending: () => pending.current,
    add(change: T) {
      if (pending.current === null) {
        frame.current = requestAnimationFrame(() => {
          const whole = pending.current!;
          pending.current = null;
          flushSync(() => latest.current(whole));
        });
      }
      pending.current = { ...pending.current, ...change } as T;
    },
  };
}
