"use client";

import { formatDateTime, formatRelative, utcText } from "./format.ts";
import { Tooltip } from "./tooltip.tsx";

/**
 * Shows "3 hours ago", with the viewer's time and UTC on hover. Suppresses the hydration warning, because server and
 * browser clocks differ.
 */
export function Time({ at }: { at: string }) {
  return (
    <Tooltip content={`${formatDateTime(at)} · ${utcText(at)}`}>
      <time dateTime={at} suppressHydrationWarning className="whitespace-nowrap">
        {formatRelative(at)}
      </time>
    </Tooltip>
  );
}
