import { createDatabase, databaseConnection, provideDatabase } from "#db/client";
import { store } from "#lib/platform/storage/store";
import { createKey, createProject } from "../api.ts";
import { createModel } from "../model-factory.ts";
import { type ErrorCase, ofProject } from "./error-case.ts";

/** What goes wrong on our side. */
export const ourErrors = {
  async internal_error({ call }) {
    const { id: projectId } = await createProject();
    const { artifactKey } = await createModel({ projectId });
    await store().deleteFolder(artifactKey);
    const body = { input: { temp: [1], wind: [2] } };
    const as = await createKey({ projectId });
    return {
      answer: await call(`POST ${ofProject}/predict`, { params: { projectId }, body }, as),
      message: "Something went wrong on our side. Try again; report the request id if it persists.",
    };
  },

  async service_unavailable({ call }) {
    const present = databaseConnection();
    const away = createDatabase("postgres://nobody@127.0.0.1:1/nothing");
    provideDatabase(away);
    try {
      return {
        answer: await call(`GET ${ofProject}`),
        message: "The service cannot reach a part that it needs. Wait as long as Retry-After says.",
      };
    } finally {
      provideDatabase(present);
      await away.close();
    }
  },
} satisfies Record<string, ErrorCase>;
