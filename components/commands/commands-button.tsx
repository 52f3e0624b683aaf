"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useParams } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";

// Loaded on first use, because most visits do not need it.
const CommandsDialog = dynamic(() => import("./commands-dialog.tsx"), { ssr: false });

/** Opens the command palette, like ⌘K or Ctrl-K on every page. */
export function CommandsButton() {
  const { projectId } = useParams<{ projectId?: string }>();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey) return;
      event.preventDefault();
      // Ignores the shortcut inside a dialog, so that typed text is not lost.
      setOpen((isOpen) => isOpen || document.querySelector("[role=dialog]") === null);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <Button
        look="quiet"
        size="sm"
        aria-label="Search"
        aria-keyshortcuts="Control+K Meta+K"
        className="h-8!"
        onClick={() => setOpen(true)}
      >
        <Search className="size-4" />
        <kbd className="hidden font-sans text-xs text-ink-faint lg:block">Ctrl K</kbd>
      </Button>
      {open && <CommandsDialog projectId={projectId ?? null} onClose={() => setOpen(false)} />}
    </>
  );
}
