"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { Skeleton } from "./skeleton.tsx";

/** Delay before hidden content loads in a browser that cannot report when it is idle. */
const IDLE_AFTER_MS = 1_000;

/**
 * Renders its children when they are about to scroll into view, or when the loaded page is idle, so that a print of the
 * page is complete: printing does not wait for requests. Before, it shows a placeholder of their height.
 */
export function WhenSeen({ className, children }: { className: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (seen || !place.current) return;
    const show = () => setSeen(true);
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && show(), {
      rootMargin: "200px",
    });
    observer.observe(place.current);
    window.addEventListener("beforeprint", show);
    const stopWaiting = whenIdle(show);
    return () => {
      observer.disconnect();
      window.removeEventListener("beforeprint", show);
      stopWaiting();
    };
  }, [seen]);
  return (
    <div ref={place} className={className}>
      {seen ? children : <Skeleton className={className} />}
    </div>
  );
}

/** Calls back once the page has loaded and is idle. Returns a function that cancels this. */
function whenIdle(callback: () => void): () => void {
  let cancel = () => {};
  const wait = () => {
    if ("requestIdleCallback" in window) {
      const handle = requestIdleCallback(callback);
      cancel = () => cancelIdleCallback(handle);
    } else {
      const timer = setTimeout(callback, IDLE_AFTER_MS);
      cancel = () => clearTimeout(timer);
    }
  };
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
  return () => {
    window.removeEventListener("load", wait);
    cancel();
  };
}
