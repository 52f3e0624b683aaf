"use client";

import { useRef } from "react";

/** What has the focus; of a menu's item the menu's button, for the menu is about to close. */
function openerNow(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest("[role=menu]");
  const element = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : active;
  return element instanceof HTMLElement ? element : null;
}

/**
 * For the content of a dialog that is opened by state: when it closes, the focus goes back to where it was. By itself it
 * would be given to a trigger inside of the dialog's root, and these have none.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = openerNow();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      opener.current?.focus();
    },
  };
}
