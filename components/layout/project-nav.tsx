"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { projectSections } from "#components/projects/project-sections.ts";
import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";

/** Navigation in a column beside the page; on narrow screens, in a scrollable row above the page. */
export function ProjectNav({ projectId }: { projectId: string }) {
  const pathname = usePathname();
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the current page's link may be outside the visible part of the row.
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && here && pathname) nav.current.scrollLeft = here.offsetLeft - 48;
  }, [pathname]);
  return (
    <nav
      ref={nav}
      aria-label="Project"
      className="relative flex gap-1 overflow-x-auto px-3 py-2 md:flex-col md:px-3 md:py-5"
    >
      {projectSections.map(({ path, label, icon: Icon }) => {
        const href = `/projects/${projectId}/${path}`;
        const here = pathname.startsWith(href);
        return (
          <Link
            key={path}
            href={href}
            aria-current={here ? "page" : undefined}
            className={classNames(
              "flex items-center gap-2.5 rounded-md px-3 py-1.5 text-[13px] font-medium whitespace-nowrap transition-colors",
              here ? "bg-accent-wash text-accent" : "text-ink-soft hover:bg-sunken hover:text-ink",
            )}
          >
            <Icon className="size-4" aria-hidden="true" />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
