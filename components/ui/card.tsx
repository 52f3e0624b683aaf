import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <section className={classNames("min-w-0 rounded-lg border bg-surface shadow-soft", className)}>
      {children}
    </section>
  );
}

/** Parts of the header of a card or page. */
export type HeaderProps = { title: ReactNode; description?: ReactNode; actions?: ReactNode };

export function CardHeader({ title, description, actions }: HeaderProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4 pb-3">
      <div className="min-w-0">
        <h2 className="text-[15px] font-semibold tracking-tight">{title}</h2>
        {description && (
          <p className="mt-0.5 max-w-prose text-[13px] text-balance text-ink-faint">{description}</p>
        )}
      </div>
      {actions && (
        <div className="print:hidden flex min-w-0 max-w-full flex-wrap items-center gap-2">{actions}</div>
      )}
    </div>
  );
}
