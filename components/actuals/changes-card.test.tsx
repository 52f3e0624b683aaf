import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { queries } from "#components/api/queries.ts";
import { model, modelChanges } from "#testing/recorded-answers";
import { ChangesCard } from "./changes-card.tsx";

test("shows the ends of the data in UTC, as days for daily data", () => {
  const textWith = (before: string | null, after: string) => {
    const client = new QueryClient();
    client.setQueryData(queries.modelChanges(model.projectId, model.id).queryKey, {
      ...modelChanges,
      knownUntil: { before, after },
    });
    const html = renderToStaticMarkup(
      <QueryClientProvider client={client}>
        <ChangesCard model={model} />
      </QueryClientProvider>,
    );
    return /Data until<\/dt><dd[^>]*>([^<]*)/.exec(html)?.[1];
  };
  expect(textWith("2025-10-10T00:00:00.000Z", "2026-01-31T00:00:00.000Z")).toBe("10 Oct 2025 → 31 Jan 2026");
  expect(textWith(null, "2026-01-31T05:00:00.000Z")).toBe("– → 31 Jan 2026, 05:00 UTC");
});
