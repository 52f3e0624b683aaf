"use client";

import { useEffect, useState } from "react";

/** Area below the header and above the middle of the window; the section in it counts as being read. */
const readingZone = "-100px 0px -60% 0px";

/** Returns the ID of the section being read; empty above the first section. `ids` must be in page order. */
export function useSectionInView(ids: readonly string[]): string {
  const [current, setCurrent] = useState("");
  const joined = ids.join(" ");
  useEffect(() => {
    const inZone = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inZone.add(target.id);
          else inZone.delete(target.id);
        }
        const first = joined.split(" ").find((id) => inZone.has(id));
        if (first !== undefined) setCurrent(first);
      },
      { rootMargin: readingZone },
    );
    for (const id of joined.split(" ")) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [joined]);
  return current;
}
