import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** Scrolls inside its own height and is reachable by keyboard. */
export function ScrollArea({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must work with keys (WCAG 2.1.1)
    <section tabIndex={0} aria-label={label} className={classNames("overflow-y-auto", className)}>
      {children}
    </section>
  );
}
