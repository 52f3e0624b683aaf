import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { formatInteger } from "#components/ui/format.ts";

/** Moves through rows page by page. */
export function RowPager({
  offset,
  pageSize,
  total,
  onOffset,
}: {
  /** Number of rows before the page. */
  offset: number;
  pageSize: number;
  total: number;
  onOffset(offset: number): void;
}) {
  const last = Math.min(total, offset + pageSize);
  return (
    <div className="figures flex items-center gap-1 text-[13px] text-ink-faint">
      <span className="mr-1">
        {formatInteger(offset + 1)}–{formatInteger(last)} of {formatInteger(total)}
      </span>
      <Button
        look="quiet"
        size="icon"
        aria-label="Earlier rows"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - pageSize))}
      >
        <ChevronLeft className="size-4" />
      </Button>
      <Button
        look="quiet"
        size="icon"
        aria-label="Later rows"
        disabled={last >= total}
        onClick={() => onOffset(offset + pageSize)}
      >
        <ChevronRight className="size-4" />
      </Button>
    </div>
  );
}
