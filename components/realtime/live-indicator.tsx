"use client";

import { classNames } from "#components/ui/class-names.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import { useLive } from "./realtime-provider.tsx";

export function LiveIndicator() {
  const live = useLive();
  return (
    <Tooltip
      content={
        live
          ? "The page updates in real time."
          : "The realtime channel is not connected. This page polls every three seconds."
      }
    >
      <span role="status" className="flex items-center gap-1.5 text-xs text-ink-faint">
        <span className={classNames("size-1.5 rounded-full", live ? "bg-good" : "bg-warn")} />
        {live ? "Live" : "Polling"}
      </span>
    </Tooltip>
  );
}
