import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { queries } from "#components/api/queries.ts";
import { ViewerProvider } from "#components/api/viewer.tsx";
import { scenario, scenarioActuals, scenarioRows } from "#testing/recorded-answers";
import { analyst } from "#testing/viewer";
import { ScenarioRowsCard } from "./scenario-rows.tsx";

const { projectId, id } = scenario;

test.each([
  ["of one series", null, true],
  // The actuals of the scenario are then sums of all series.
  ["but not of many", { where: [] }, false],
])("shows actuals beside rows %s", (_, series, shows) => {
  const client = new QueryClient();
  const page = { offset: 0, limit: 10, where: [], run: undefined };
  client.setQueryData(queries.scenarioRows(projectId, id, page).queryKey, scenarioRows);
  client.setQueryData(queries.actuals(projectId, id).queryKey, scenarioActuals);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ViewerProvider viewer={analyst}>
        <ScenarioRowsCard scenario={scenario} series={series} row={1} onRow={() => {}} />
      </ViewerProvider>
    </QueryClientProvider>,
  );
  expect(scenarioActuals.errors).not.toBeNull();
  expect(html.includes(">Actual</")).toBe(shows);
});
