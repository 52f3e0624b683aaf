"use client";

import { useRef } from "react";

/** Returns the focused element. For a menu item, returns the menu's button, because the menu is about to close. */
function openerNow(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest("[role=menu]");
  const element = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : active;
  return element instanceof HTMLElement ? element : null;
}

/**
 * Restores the previous focus when a dialog that is opened by state closes. Radix would focus a trigger inside the
 * dialog's root, which these dialogs do not have.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = openerNow();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const element = opener.current;
      // A dialog that a link opened has no opener, and the opener may be gone.
      const isGone = element === null || element === document.body || !element.isConnected;
      (isGone ? document.getElementById("content") : element)?.focus();
    },
  };
}
