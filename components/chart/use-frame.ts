"use client";

import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";

/**
 * Collects what the input before a frame changes, and renders it in that frame. Left to React it would be rendered after
 * the frame, and so be seen in the next one, or together with that one's own input.
 *
 * @param render sets state by what `add` was given since the frame before, of each property the latest
 */
export function useFrame<T extends object>(render: (change: T) => void) {
  const pending = useRef<T | null>(null);
  const latest = useRef(render);
  latest.current = render;
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return {
    /** What is not rendered yet; what follows from it begins here. */
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
