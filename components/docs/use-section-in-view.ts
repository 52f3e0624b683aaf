"use client";

import { useEffect, useState } from "react";

/** From where a link to a section leads, below the header, to above the middle: what stands there is what one reads. */
const readingZone = "-100px 0px -60% 0px";

/** The id of the section that one reads; empty above the first one. `ids` in the order of the page. */
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
