"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { ApiError } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { DisplaysProvider } from "#components/display/displays.tsx";
import { JobsTray } from "#components/jobs/jobs-tray.tsx";
import { projectSections } from "#components/projects/project-sections.ts";
import { LiveIndicator } from "#components/realtime/live-indicator.tsx";
import { RealtimeProvider } from "#components/realtime/realtime-provider.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ProjectNotFound } from "./project-not-found.tsx";
import { TopBar } from "./top-bar.tsx";

/** Frame of every project page: name, sections, running jobs and the realtime channel. */
export function ProjectShell({ projectId, children }: { projectId: string; children: ReactNode }) {
  const project = useQuery(queries.project(projectId));
  const { error } = project;
  const pathname = usePathname();
  const section = projectSections.find(({ path }) => pathname.startsWith(`/projects/${projectId}/${path}`));
  if (error instanceof ApiError && error.status === 404) return <ProjectNotFound />;
  return (
    <RealtimeProvider projectId={projectId}>
      <FocusPage />
      <TopBar>
        <div className="flex items-center gap-2 sm:gap-3">
          <span className="text-line-strong" aria-hidden="true">
            /
          </span>
          {project.data ? (
            <span dir="auto" className="min-w-0 truncate font-medium" title={project.data.name}>
              {project.data.name}
            </span>
          ) : (
            <Skeleton className="h-4 w-40" />
          )}
          {section && (
            <span className="hidden shrink-0 items-center gap-3 text-ink-soft sm:flex">
              <span className="text-line-strong" aria-hidden="true">
                /
              </span>
              {section.label}
            </span>
          )}
          <span className="flex-1" />
          <span className="flex shrink-0 items-center gap-4 print:hidden">
            <JobsTray projectId={projectId} />
            <LiveIndicator />
          </span>
        </div>
      </TopBar>
      <div className="md:grid md:grid-cols-[13rem_minmax(0,1fr)] print:block">
        <div className="border-b print:hidden md:sticky md:top-[calc(3.25rem+1px)] md:h-[calc(100dvh-3.25rem-1px)] md:border-r md:border-b-0">
          <ProjectNav projectId={projectId} />
        </div>
        <main id="content" tabIndex={-1} className="mx-auto w-full max-w-wide px-4 py-7 sm:px-8 print:px-0">
          <DisplaysProvider project={project.data}>{children}</DisplaysProvider>
        </main>
      </div>
    </RealtimeProvider>
  );
}

/** Navigation in a column beside the page; on narrow screens, in a scrollable row above the page. */
function ProjectNav({ projectId }: { projectId: string }) {
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

/**
 * Focuses the page after a navigation that removed the focused element, such as the button that opened a form. Without
 * it, the keyboard would start again at the top of the document.
 */
function FocusPage() {
  const pathname = usePathname();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A closing dialog restores its focus in a later task.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById("content")?.focus();
    });
    return () => clearTimeout(timer);
  }, [pathname]);
  return null;
}
