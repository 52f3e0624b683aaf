"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

/** Shows (and so loads) its children once they are about to be scrolled into view; before, an empty place of their height. */
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
    return () => {
      observer.disconnect();
      window.removeEventListener("beforeprint", show);
    };
  }, [seen]);
  return (
    <div ref={place} className={className}>
      {seen && children}
    </div>
  );
}
