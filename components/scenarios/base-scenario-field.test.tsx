import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { queries } from "#components/api/queries.ts";
import { scenario } from "#testing/recorded-answers";
import { BaseScenarioField } from "./base-scenario-field.tsx";

test("names a base scenario that the first page of the list does not have", () => {
  const client = new QueryClient();
  const newer = { ...scenario, id: "newer", title: "Newer", status: "Completed" as const };
  client.setQueryData(queries.scenarios("p").queryKey, {
    pages: [{ items: [newer], nextCursor: "next" }],
    pageParams: [""],
  });
  const base = { ...scenario, id: "older", title: "Older", status: "Completed" as const };
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <BaseScenarioField projectId="p" base={base} error={undefined} onChange={() => {}} />
    </QueryClientProvider>,
  );
  expect(html).toContain('<option value="older" selected="">Older</option>');
  expect(html).toContain('<option value="newer">Newer</option>');
});
