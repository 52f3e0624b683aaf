"use client";

import { classNames } from "#components/ui/class-names.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import { useConnection } from "./realtime-provider.tsx";

const texts = {
  live: ["Live", "The page updates in real time.", "bg-good"],
  polling: [
    "Polling",
    "The realtime channel is not connected. This page polls every three seconds.",
    "bg-warn",
  ],
  none: ["No connection", "The service does not answer. This page tries again every few seconds.", "bg-bad"],
} as const;

export function LiveIndicator() {
  const [text, explanation, tone] = texts[useConnection()];
  return (
    <Tooltip content={explanation}>
      <span role="status" className="flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-faint">
        <span className={classNames("size-1.5 rounded-full", tone)} />
        {text}
      </span>
    </Tooltip>
  );
}
