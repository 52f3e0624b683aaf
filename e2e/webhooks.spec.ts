import { Webhook as StandardWebhook } from "standardwebhooks";
import type { Project } from "#lib/contract/projects";
import type { WebhookWithSecret } from "#lib/contract/webhooks";
import { startReceiver } from "#testing/webhook-receiver";
import { data, expect, test, unique } from "./signed-in.ts";
import { takePictures } from "./take-pictures.ts";

test("adds a webhook, tests it, sends a delivery again, edits it, rotates its secret, disables and deletes it", async ({
  page,
}) => {
  const receiver = await startReceiver();
  const project = await data<Project>(page.request, "post", "/projects", { name: unique("Hooks") });
  await page.goto(`/projects/${project.id}/settings`);
  await expect(page.getByText("No webhooks yet")).toBeVisible();

  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("ftp://example.com");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByText("Use an address like")).toBeVisible();
  await dialog.getByLabel("URL").fill(receiver.url());
  await dialog.getByLabel("Project settings changed").check();
  const created = page.waitForResponse((one) => one.url().endsWith("/webhooks") && one.status() === 201);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  const { secret } = ((await (await created).json()) as { data: WebhookWithSecret }).data;
  await expect(dialog.getByText(secret)).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("row", { name: /127\.0\.0\.1/ });
  const choose = async (item: string) => {
    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await expect(row.getByText("enabled")).toBeVisible();
  await choose("Send test event");
  const delivery = dialog.getByRole("row", { name: /webhook-test/ });
  await expect(delivery.getByText("Delivered")).toBeVisible({ timeout: 15_000 });
  await delivery.getByRole("button", { name: "Resend webhook-test" }).click();
  await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(2);
  for (const { text, headers } of receiver.received) new StandardWebhook(secret).verify(text, headers);
  await dialog.getByRole("button", { name: "Close" }).click();

  await data(page.request, "patch", `/projects/${project.id}`, { description: "New" });
  const types = () => receiver.received.map(({ body }) => body.type);
  await expect.poll(types, { timeout: 15_000 }).toEqual(["webhook-test", "webhook-test", "project-updated"]);

  await choose("Edit");
  await dialog.getByLabel("URL").fill(receiver.url("/changed"));
  await dialog.getByLabel("Default checkpoint changed").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row.getByText("/changed")).toBeVisible();
  await data(page.request, "patch", `/projects/${project.id}`, { description: "Newer" });
  await expect.poll(() => receiver.received.at(-1)?.path, { timeout: 15_000 }).toBe("/changed");

  await choose("Rotate secret");
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  await expect(dialog.getByText("Copy it now.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await choose("Disable");
  await expect(row.getByText("Disabled by an admin")).toBeVisible();
  await choose("Enable");
  await expect(row.getByText("enabled")).toBeVisible();

  const answered = page.waitForResponse((one) => one.request().method() === "PATCH");
  await choose("Edit");
  await dialog.getByLabel("Format").selectOption("Slack");
  await takePictures(page, "webhook-dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect((await answered).status()).toBe(200);
  await expect(row.getByText("Slack:")).toBeVisible();
  await takePictures(page, "webhooks");
  await data(page.request, "patch", `/projects/${project.id}`, { description: "Newest" });
  const chatted = () => receiver.received.at(-1)?.text;
  await expect.poll(chatted, { timeout: 15_000 }).toContain("The settings of the project have changed");
  await choose("Delete");
  await dialog.getByRole("button", { name: "Delete webhook" }).click();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await receiver.close();
});
