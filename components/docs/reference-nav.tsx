"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { guideSections } from "./guide.tsx";
import { MethodBadge } from "./method-badge.tsx";
import type { Reference } from "./reference.ts";

export function ReferenceNav({
  sections,
  withGuide,
}: {
  sections: Reference["sections"];
  /** Hidden during a search, because the list then shows the results. */
  withGuide: boolean;
}) {
  const guide = withGuide ? guideSections.map(([id]) => id) : [];
  const ids = sections.flatMap(({ operations }) => operations.map(({ id }) => id));
  const current = useSectionInView([...guide, ...ids, ...(withGuide ? ["objects"] : [])]);
  return (
    <nav aria-label="Reference" className="space-y-5">
      {withGuide && (
        <ul>
          {guideSections.map(([id, title]) => (
            <li key={id}>
              <Entry id={id} current={id === current}>
                {title}
              </Entry>
            </li>
          ))}
        </ul>
      )}
      {sections.map(({ tag, operations }) => (
        <div key={tag}>
          <p className="px-2 pb-1 text-xs font-medium text-ink-faint">{tag}</p>
          <ul>
            {operations.map(({ id, method, summary }) => (
              <li key={id}>
                <Entry id={id} current={id === current}>
                  <span className="mt-0.5">
                    <MethodBadge method={method} small />
                  </span>
                  <span className="min-w-0">{summary}</span>
                </Entry>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {withGuide && (
        <Entry id="objects" current={current === "objects"}>
          Objects
        </Entry>
      )}
    </nav>
  );
}

/** Links to a section. Marks the section in view and scrolls the list along. */
function Entry({ id, current, children }: { id: string; current: boolean; children: ReactNode }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current && link.current) scrollTo(link.current);
  }, [current]);
  return (
    <a
      ref={link}
      href={`#${id}`}
      // On a narrow screen the list covers the page, so a choice closes it.
      onClick={(event) => event.currentTarget.closest("details")?.removeAttribute("open")}
      {...(current && { "aria-current": "location" })}
      className={classNames(
        "flex items-start gap-2 rounded-md px-2 py-1 text-[13px] hover:bg-sunken hover:text-ink",
        current ? "bg-sunken font-medium text-ink" : "text-ink-soft",
      )}
    >
      {children}
    </a>
  );
}

/** Scrolls a link into view inside its own list, without moving the page. */
function scrollTo(link: HTMLElement): void {
  const list = link.closest("nav")?.parentElement;
  if (!list || list.scrollHeight <= list.clientHeight) return;
  const { top, bottom } = list.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  if (place.top < top) list.scrollTop -= top - place.top;
  if (place.bottom > bottom) list.scrollTop += place.bottom - bottom;
}

/** Area below the header and above the middle of the window; the section in it counts as being read. */
const readingZone = "-100px 0px -60% 0px";

/** Returns the ID of the section being read; empty above the first section. `ids` must be in page order. */
function useSectionInView(ids: readonly string[]): string {
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
