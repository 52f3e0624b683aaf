import { createDatabase } from "#db/client";
import { databaseConnection, provideDatabase } from "#lib/platform/database/process-database";
import { store } from "#lib/platform/storage/store";
import { createKey, createProject } from "../api.ts";
import { createModel } from "../model-factory.ts";
import { type ErrorCase, ofProject } from "./error-case.ts";

/** Errors of the service itself. */
export const ourErrors = {
  async internal_error({ call }) {
    const { id: projectId } = await createProject();
    const { artifactKey } = await createModel({ projectId });
    await store().deleteFolder(artifactKey);
    const body = { input: { temp: [1], wind: [2] } };
    const as = await createKey({ projectId });
    return {
      answer: await call(`POST ${ofProject}/predict`, { params: { projectId }, body }, as),
      message: "An internal error occurred. Retry the request. If the error persists, report the request ID.",
    };
  },

  async service_unavailable({ call }) {
    const present = databaseConnection();
    const unreachable = createDatabase("postgres://nobody@127.0.0.1:1/nothing");
    provideDatabase(unreachable);
    try {
      return {
        answer: await call(`GET ${ofProject}`),
        message:
          "The service cannot reach a required component. Retry after the delay in the header Retry-After.",
      };
    } finally {
      provideDatabase(present);
      await unreachable.close();
    }
  },
} satisfies Record<string, ErrorCase>;
