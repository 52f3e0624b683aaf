import { AsyncLocalStorage } from "node:async_hooks";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError, isAPIError } from "better-auth/api";
import { and, eq, isNull } from "drizzle-orm";
import { database } from "#db/client";
import { account, session, user, verification } from "#db/schema/users";
import { authSecret } from "#lib/config/auth-secret";
import { logger } from "#lib/platform/log/logger";

/** Header in which the server in front says the caller's address; a caller's own words in it are overwritten there. */
export const clientAddressHeader = "x-client-address";

/** Of a call of the library: why it failed, which it tells its log alone. */
export const libraryFailure = new AsyncLocalStorage<{ cause?: Error }>();

/** Sessions by e-mail and password. Accounts are made by admins alone, so that there is no sign-up. */
function createAuth() {
  return betterAuth({
    appName: "Model prediction service",
    secret: authSecret(),
    database: drizzleAdapter(database(), {
      provider: "pg",
      schema: { user, session, account, verification },
    }),
    emailAndPassword: { enabled: true, disableSignUp: true, maxPasswordLength: 128 },
    user: { additionalFields: { role: { type: "string", required: false, input: false } } },
    databaseHooks: { session: { create: { before: refuseDisabled } } },
    // Every request asks the database: who is removed, or signed out elsewhere, is out at once.
    session: { cookieCache: { enabled: false } },
    // Sign-in has limits of our own, per account and per address; sign-out needs none.
    rateLimit: { enabled: false },
    advanced: {
      // Whether the outside speaks HTTPS is known only from each request: see the route.
      useSecureCookies: false,
      // The routes refuse foreign pages by the same rule as all others, and let programs in that name no origin. Left to
      // itself, the library asks those for one too, in production alone.
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    telemetry: { enabled: false },
    onAPIError: {
      // Left to itself, the library prints it with the parameters of queries, and answers 500.
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    logger: {
      level: "warn",
      // It would print errors as they are, with the parameters of queries.
      log: (level, message, ...details) => {
        const err = details.find((detail) => detail instanceof Error);
        const failure = libraryFailure.getStore();
        if (failure && err) failure.cause ??= err;
        logger()[level]({ ...(err ? { err } : {}), part: "sign-in" }, message);
      },
    },
  });
}

/** Answered like a wrong password: who cannot sign in does not learn whether the account exists. */
async function refuseDisabled({ userId }: { userId: string }): Promise<void> {
  const [row] = await database()
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, userId), isNull(user.disabledAt)));
  if (!row) {
    throw APIError.from("UNAUTHORIZED", {
      code: "INVALID_EMAIL_OR_PASSWORD",
      message: "Invalid email or password",
    });
  }
}

type Auth = ReturnType<typeof createAuth>;

const shared = globalThis as typeof globalThis & { authOfProcess?: Auth };

/** This process's sessions, made when first asked for: the build must need neither a secret nor a database. */
export function auth(): Auth {
  shared.authOfProcess ??= createAuth();
  return shared.authOfProcess;
}
