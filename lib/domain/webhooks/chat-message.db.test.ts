import { beforeEach, describe, expect, it } from "vitest";
import { eventNames } from "#lib/contract/channel";
import { setEnvironment } from "#testing/set-environment";
import { createWebhookProject, soon } from "#testing/webhook-project";
import { chatMessage } from "./chat-message.ts";

const { sql, receiver, project, ask, create, publish } = await createWebhookProject();

describe("a message to a chat", () => {
  const name = "Sales <!channel> & *more*";
  const sent = async (format: string, label: string) => {
    receiver.received.length = 0;
    await create({ format });
    await publish(label, { entityId: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f", status: "Completed" });
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    await sql`delete from webhooks`;
    return JSON.parse(receiver.received[0]!.text);
  };
  beforeEach(async () => {
    await ask(`PATCH /projects/${project.id}`, { body: { name } });
  });

  it("of Slack has the news, the project and a link, with names that are no commands", async () => {
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "1", PUBLIC_URL: "https://forkcast.example.com/" });
    const page = `https://forkcast.example.com/projects/${project.id}/scenarios/0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f`;
    expect(await sent("slack", "Winter\n<@U1>")).toEqual({
      text: `The scenario “Winter &lt;@U1&gt;” is complete. Project: Sales &lt;!channel&gt; &amp; *more*.\n<${page}|Open in Forkcast>`,
    });
  });

  it("of Teams is a card, which has a button if the service knows its address", async () => {
    const text = `The scenario “Winter” is complete. Project: ${name}.`;
    const card = { type: "AdaptiveCard", body: [{ inlines: [{ type: "TextRun", text }] }] };
    const without = await sent("teams", "Winter");
    expect(without).toMatchObject({ type: "message", attachments: [{ content: card }] });
    expect(without.attachments[0].content).not.toHaveProperty("actions");
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "1", PUBLIC_URL: "https://forkcast.example.com" });
    const url = expect.stringContaining(`/projects/${project.id}/scenarios/`);
    expect((await sent("teams", "Winter")).attachments[0].content.actions).toEqual([
      { type: "Action.OpenUrl", title: "Open in Forkcast", url },
    ]);
  });

  it.each(eventNames)("names %s in a sentence", async (event) => {
    const data = {
      eventId: "",
      projectId: project.id,
      entityId: project.id,
      jobId: null,
      status: "Completed",
      label: null,
    };
    const { text } = chatMessage("slack", {
      type: event,
      data: { ...data, occurredAt: "" },
      project: "Sales",
      publicUrl: null,
    }) as { text: string };
    expect(text).toMatch(/^(A|The) [a-z ]+\. Project: Sales\.$/i);
  });
});
