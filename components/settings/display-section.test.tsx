import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { queries } from "#components/api/queries.ts";
import type { Project } from "#lib/contract/projects";
import { dataset, project } from "#testing/recorded-answers";
import { DisplaySection } from "./display-section.tsx";

it("lists the features that upstream projects predict", () => {
  const client = new QueryClient();
  client.setQueryData(queries.dataset(project.id).queryKey, dataset);
  const dependencies: Project["dependencies"] = [{ projectId: project.id, featureName: "gas_price" }];
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <DisplaySection project={{ ...project, dependencies }} isAdmin />
    </QueryClientProvider>,
  );
  expect(html).toContain('aria-label="Display name of gas_price"');
});
