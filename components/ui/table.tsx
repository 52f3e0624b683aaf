"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";

/** Table that scrolls horizontally in its card on narrow screens, also by keyboard. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={frame}
      {...(scrolls && { tabIndex: 0, role: "group", "aria-label": "Table that scrolls sideways" })}
      className="relative overflow-x-auto"
    >
      <table
        {...props}
        className={classNames(
          "w-full border-collapse text-[13px] [&_tbody>tr:last-child>td]:border-b-0",
          className,
        )}
      />
    </div>
  );
}

export function Th({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...props}
      className={classNames(
        "border-b px-4 py-2 text-left text-xs font-medium whitespace-nowrap text-ink-faint first:pl-5 last:pr-5",
        className,
      )}
    />
  );
}

export function Td({ className, ...props }: ComponentProps<"td">) {
  return (
    <td
      {...props}
      className={classNames("border-b border-line/70 px-4 py-2.5 first:pl-5 last:pr-5", className)}
    />
  );
}
