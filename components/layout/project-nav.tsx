"use client";

import { Bookmark, Database, Gauge, GitBranch, ListChecks, Settings } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "#components/ui/class-names";

const sections = [
  { path: "data", label: "Data", icon: Database },
  { path: "model", label: "Model", icon: Gauge },
  { path: "checkpoints", label: "Checkpoints", icon: Bookmark },
  { path: "scenarios", label: "Scenarios", icon: GitBranch },
  { path: "jobs", label: "Jobs", icon: ListChecks },
  { path: "settings", label: "Settings", icon: Settings },
];

/** A column beside the page; on narrow screens a row above it that scrolls. */
export function ProjectNav({ projectId }: { projectId: string }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Project" className="flex gap-1 overflow-x-auto px-3 py-2 md:flex-col md:px-3 md:py-5">
      {sections.map(({ path, label, icon: Icon }) => {
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
