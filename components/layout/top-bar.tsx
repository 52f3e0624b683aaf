"use client";

import type { ReactNode } from "react";
import { useViewer } from "#components/api/viewer.tsx";
import { PaletteButton } from "#components/palette/palette-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { SkipLink } from "#components/ui/skip-link.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Logo } from "./logo.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

export function TopBar({ children }: { children?: ReactNode }) {
  return (
    <>
      <SkipLink />
      <header className="sticky top-0 z-30 border-b bg-surface/95 backdrop-blur print:static">
        <div className="flex h-13 items-center gap-1.5 px-4 sm:gap-3 sm:px-6">
          <Link href="/projects" className="flex rounded-sm" aria-label="All projects">
            <Logo short={children !== undefined} />
          </Link>
          <div className="min-w-0 flex-1">{children}</div>
          <div className="contents print:hidden">
            <PaletteButton />
            <Link
              href="/docs"
              className="hidden rounded-sm px-2 text-[13px] text-ink-soft hover:text-ink sm:block"
            >
              API reference
            </Link>
            <ThemeToggle />
            <AccountMenu viewer={useViewer()} />
          </div>
        </div>
      </header>
    </>
  );
}
