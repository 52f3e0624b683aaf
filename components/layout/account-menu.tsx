"use client";

import { LogOut, ScrollText } from "lucide-react";
import type { Viewer } from "#components/api/viewer.tsx";
import { Button } from "#components/ui/button.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { usePush } from "#components/ui/use-leave-question.tsx";

async function signOut() {
  await fetch("/api/auth/sign-out", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  // A full page load clears all session data from memory.
  location.assign("/login");
}

export function AccountMenu({ viewer }: { viewer: Viewer }) {
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
