import type { Access } from "#lib/api/caller/authorize";

export const securitySchemes = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A key of one project, created in its settings.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "better-auth.session_token",
    description:
      "The cookie of `POST /api/auth/sign-in/email`; over HTTPS its name begins with `__Host-`. Changes need an `Origin` header with the service's own scheme and host.",
  },
} as const;

const either = [{ apiKey: [] }, { session: [] }];

export const security: Record<Access, Record<string, string[]>[]> = {
  project: either,
  settings: either,
  caller: either,
  session: [{ session: [] }],
  admin: [{ session: [] }],
  public: [],
};

/** Who may call, where a scheme alone does not say it. */
export const whoMay: Record<Access, string> = {
  project: "",
  settings: "A session must be an admin's.",
  caller: "",
  session: "Takes a session; a key is refused with 403.",
  admin: "Takes an admin's session; a key is refused with 403.",
  public: "",
};
