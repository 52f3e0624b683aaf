"use client";

import { LogOut, ScrollText, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useViewer, type Viewer } from "#components/api/viewer.tsx";
import { CommandsButton } from "#components/commands/commands-button.tsx";
import { Button } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { SkipLink } from "#components/ui/skip-link.tsx";
import { usePush } from "#components/ui/use-leave-question.tsx";
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
            <CommandsButton />
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

async function signOut() {
  await fetch("/api/auth/sign-out", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  // A full page load clears all session data from memory.
  location.assign("/login");
}

function AccountMenu({ viewer }: { viewer: Viewer }) {
  const push = usePush();
  const initials = viewer.name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0])
    .join("")
    .toUpperCase();
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={`Account of ${viewer.name}`}>
          <span className="grid size-7 place-items-center rounded-full bg-accent-wash text-xs font-semibold text-accent">
            {initials || "?"}
          </span>
        </Button>
      }
    >
      <div className="border-b px-2.5 pt-1 pb-2 text-[13px]">
        <p className="font-medium">{viewer.name}</p>
        <p className="text-xs text-ink-faint">
          {viewer.email} · {viewer.role}
        </p>
      </div>
      <MenuItem onSelect={() => push("/account")}>
        <UserRound className="size-4" /> Account
      </MenuItem>
      {viewer.role === "admin" && (
        <MenuItem onSelect={() => push("/audit")}>
          <ScrollText className="size-4" /> Audit log
        </MenuItem>
      )}
      <MenuItem onSelect={signOut}>
        <LogOut className="size-4" /> Sign out
      </MenuItem>
    </Menu>
  );
}
