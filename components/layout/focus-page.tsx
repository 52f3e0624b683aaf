"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/**
 * Focuses the page after a navigation that removed the focused element, such as the button that opened a form. Without
 * it, the keyboard would start again at the top of the document.
 */
export function FocusPage() {
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
