"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** Asks before it runs an action that leaves the page; null while there is nothing to lose. */
let guard: ((leave: () => void) => void) | null = null;

/** Returns a function that opens another page, after the question if there are unsaved entries. */
export function usePush(): (path: string) => void {
  const router = useRouter();
  return (path) => {
    const open = () => router.push(path);
    if (guard) guard(open);
    else open();
  };
}

/**
 * Asks before unsaved entries are left: by a link, by `usePush`, by the back button where the browser can ask,
 * or by closing the page.
 *
 * @param isUnsaved whether there are entries to lose
 * @returns `ask` runs an action that discards the entries, after a question if there are some; and the dialog
 */
export function useLeaveQuestion(
  isUnsaved: boolean,
  text: string,
): { ask(discard: () => void): void; question: ReactNode } {
  const router = useRouter();
  const [pending, setPending] = useState<{ run(): void } | null>(null);
  useEffect(() => {
    if (!isUnsaved) return;
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    const askFirst = (run: () => void) =>
      setPending({
        run() {
          stop.abort();
          run();
        },
      });
    const leave = (event: Event, run: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      askFirst(run);
    };
    guard = askFirst;
    stop.signal.addEventListener("abort", () => {
      guard = null;
    });
    window.addEventListener("beforeunload", (event) => event.preventDefault(), options);
    document.addEventListener(
      "click",
      (event) => {
        const address = addressOf(event);
        if (address !== null) leave(event, () => router.push(address));
      },
      options,
    );
    // Absent in older browsers. Only the browser can hold back its own back button.
    window.navigation?.addEventListener(
      "navigate",
      (event) => {
        const { navigationType, destination, cancelable } = event;
        if (navigationType !== "traverse" || !cancelable || isThisPage(new URL(destination.url))) return;
        leave(event, () => void window.navigation.traverseTo(destination.key));
      },
      options,
    );
    return () => stop.abort();
  }, [isUnsaved, router]);
  const question = (
    <ConfirmDialog
      open={pending !== null}
      title="Discard your changes?"
      action="Discard"
      busy={false}
      onCancel={() => setPending(null)}
      onConfirm={() => {
        setPending(null);
        pending?.run();
      }}
    >
      {text}
    </ConfirmDialog>
  );
  return { ask: (discard) => (isUnsaved ? setPending({ run: discard }) : discard()), question };
}

const isThisPage = ({ origin, pathname }: URL) =>
  origin === location.origin && pathname === location.pathname;

/** Returns the address that a click on a link opens in place of this page; null for other clicks. */
function addressOf(event: MouseEvent): string | null {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return null;
  if (link.target === "_blank" || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  return url.origin !== location.origin || isThisPage(url) ? null : url.pathname + url.search + url.hash;
}
