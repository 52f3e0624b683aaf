import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { queries } from "#components/api/queries.ts";
import { ViewerProvider } from "#components/api/viewer.tsx";
import type { CheckpointRecord } from "#lib/contract/actuals";
import { checkpoint, checkpointRecord } from "#testing/recorded-answers";
import { analyst } from "#testing/viewer";
import { RecordCard } from "./record-card.tsx";

test.each([
  ["Pacific/Auckland", "day", "2025-12-31T11:00:00.000Z", "1 Jan 2026"],
  ["Pacific/Auckland", "month", "2025-12-31T11:00:00.000Z", "Jan 2026"],
  ["Pacific/Honolulu", "month", "2026-01-01T10:00:00.000Z", "Jan 2026"],
  ["UTC", "week", "2026-01-05T00:00:00.000Z", "5 Jan 2026"],
] as const)("names a period by its first day in %s: %s", (timezone, period, from, name) => {
  const client = new QueryClient();
  const periods = checkpointRecord.periods.map((one) => ({ ...one, from }));
  const record: CheckpointRecord = { ...checkpointRecord, timezone, period, periods };
  client.setQueryData(queries.record(checkpoint.projectId, checkpoint.id).queryKey, record);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ViewerProvider viewer={analyst}>
        <RecordCard projectId={checkpoint.projectId} checkpoint={checkpoint} />
      </ViewerProvider>
    </QueryClientProvider>,
  );
  expect(/<tbody.*?<td[^>]*>([^<]*)/s.exec(html)?.[1]).toBe(name);
});
