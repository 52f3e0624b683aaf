import type { Project } from "#lib/contract/projects";
import { finish } from "./jobs.ts";
import { data, expect, test, unique } from "./signed-in.ts";

test("selects the default checkpoint of an upstream project, also if another one is newer", async ({
  page,
  demo,
}) => {
  const upstream = await data<Project>(
    page.request,
    "get",
    `/projects/${demo.project.dependencies[0]!.projectId}`,
  );
  await finish(page.request, `/projects/${upstream.id}/checkpoints`, { label: unique("Newer") });
  await page.goto(`/projects/${demo.project.id}/scenarios?open=new-scenario`);
  const field = page.getByLabel(`Upstream checkpoint: ${upstream.name}`);
  await expect(field.getByRole("option", { name: /Newer/ })).toBeAttached();
  await expect(field).toHaveValue(upstream.defaultCheckpointId!);
});
