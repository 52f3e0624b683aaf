"use client";

import {
  type ComponentProps,
  type Key,
  type ReactNode,
  type UIEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { classNames } from "./class-names.ts";

/** Keeps each row's menu in sight while the other columns scroll. */
const pinnedMenus =
  "scroll-pr-14 [&_td:has([aria-haspopup=menu])]:sticky [&_td:has([aria-haspopup=menu])]:right-0 [&_td:has([aria-haspopup=menu])]:border-l [&_td:has([aria-haspopup=menu])]:bg-surface";

/**
 * Scrolls wide content horizontally in its card, also by keyboard. A line above it and a shade at its edge show that
 * there is more.
 */
export function WideContent({
  label,
  more,
  height,
  onScroll,
  children,
}: {
  /** Name of the frame for screen readers. */
  label: string;
  /** Names what lies out of sight: "columns". */
  more: string;
  /** Height in pixels of content that scrolls vertically, too. */
  height?: number;
  onScroll?(event: UIEvent): void;
  children: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const [atEnd, setAtEnd] = useState(false);
  const measure = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const { scrollWidth, clientWidth, scrollLeft } = element;
    setScrolls(scrollWidth > clientWidth);
    setAtEnd(scrollLeft + clientWidth >= scrollWidth - 1);
  }, []);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [measure]);
  return (
    <div className="relative">
      {scrolls && (
        <p aria-hidden="true" className="print:hidden px-5 py-1 text-right text-xs text-ink-faint">
          {atEnd ? "← Scroll back" : `Scroll for more ${more} →`}
        </p>
      )}
      <div
        ref={frame}
        onScroll={(event) => {
          measure();
          onScroll?.(event);
        }}
        {...(height !== undefined
          ? { tabIndex: 0, role: "region", "aria-label": label, style: { height } }
          : scrolls && { tabIndex: 0, role: "group", "aria-label": label })}
        className={classNames(
          "relative",
          height === undefined ? "overflow-x-auto" : "overflow-auto",
          scrolls && pinnedMenus,
        )}
      >
        {children}
      </div>
      {scrolls && !atEnd && (
        <span
          aria-hidden="true"
          className="print:hidden pointer-events-none absolute inset-y-0 right-0 w-4 bg-linear-to-l from-ink/15 to-transparent"
        />
      )}
    </div>
  );
}

/** Table that scrolls horizontally in its card on narrow screens. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <WideContent label="Table that scrolls sideways" more="columns">
      <table
        {...props}
        className={classNames(
          "w-full border-collapse text-[13px] [&_tbody>tr:last-child>td]:border-b-0",
          className,
        )}
      />
    </WideContent>
  );
}

export function Th({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...props}
      className={classNames(
        "border-b px-4 py-2 text-left text-xs font-medium whitespace-nowrap text-ink-faint print:whitespace-normal first:pl-5 last:pr-5",
        className,
      )}
    />
  );
}

/** Heading for screen readers only. */
export function HiddenTh({ children, ...props }: ComponentProps<"th">) {
  return (
    <Th {...props}>
      <span className="sr-only">{children}</span>
    </Th>
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

/** Heading and cells of a column. Class names apply to the cells; `text-right` also aligns the heading. */
export type DataColumn<Row> = readonly [
  title: ReactNode,
  cell: (row: Row, at: number) => ReactNode,
  className?: string,
];

/** Table with one row per item, described by its columns. `head` has class names of the head. */
export function DataTable<Row>({
  columns,
  rows,
  keyOf,
  head,
  ...table
}: ComponentProps<"table"> & {
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  keyOf(row: Row, at: number): Key;
  head?: string;
}) {
  return (
    <Table {...table}>
      <thead className={head}>
        <tr>
          {columns.map(([title, , className], place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <Th key={place} className={className?.match(/text-right|max-sm:hidden/g)?.join(" ")}>
              {title}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody className="figures">
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)}>
            {columns.map(([, cell, className], place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <Td key={place} className={className}>
                {cell(row, at)}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
