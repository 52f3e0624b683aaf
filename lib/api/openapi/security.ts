import type { Access } from "#lib/api/caller/authorize";

export const securitySchemes = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "API key of one project, created in the project's settings.",
  },
  bearer: { type: "http", scheme: "bearer", description: "API key of one project, for agents." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "better-auth.session_token",
    description:
      "Cookie set by `POST /api/auth/sign-in/email`. Over HTTPS, its name starts with `__Host-`. Requests that change something also need an `Origin` header with the service's own scheme and host.",
  },
} as const;

const either = [{ apiKey: [] }, { session: [] }];

export const security: Record<Access, Record<string, string[]>[]> = {
  project: either,
  settings: either,
  caller: either,
  session: [{ session: [] }],
  manage: [{ session: [] }],
  admin: [{ session: [] }],
  public: [],
};

/** Permitted callers, where the security scheme alone does not describe them. */
export const allowedCallers: Record<Access, string> = {
  project: "",
  settings: "A session must have the role `admin` in the project.",
  caller: "",
  session: "Requires a session. An API key receives 403.",
  manage: "Requires a session with the role `admin` in the project. An API key receives 403.",
  admin: "Requires an admin session. An API key receives 403.",
  public: "",
};
