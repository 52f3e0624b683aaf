import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** Claims of a person at the provider. */
export type Person = {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
};

const client = { clientId: "forkcast", clientSecret: "a secret of the tests" };

/**
 * Starts a real OpenID Connect provider. Everybody who arrives is signed in as the current `person`, or refused without one.
 *
 * @param redirectAddress where the client expects the answers
 */
export async function startIdentityProvider(redirectAddress: string) {
  const state: { person: Person | null } = { person: null };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectAddress],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    // As most providers do: the ID token itself has the claims.
    conformIdTokenClaims: false,
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: async () => ({ ...state.person!, sub: accountId }),
    }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["a key of the tests"] },
  });
  const callback = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith("/interaction/")) return callback(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const { person } = state;
    if (person === null) {
      return provider.interactionFinished(request, response, { error: "access_denied" });
    }
    const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const result = { login: { accountId: person.sub }, consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result);
  }

  return {
    issuer,
    ...client,
    state,
    /** Follows the redirects of the provider like a browser, and returns the address at the client to which they lead. */
    async visit(address: string): Promise<string> {
      const cookies = new Map<string, string>();
      for (let at = address; ; ) {
        if (!at.startsWith(issuer)) return at;
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
          cookies.set(name!, value!);
        }
        const next = answer.headers.get("location");
        if (next === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
        at = new URL(next, at).href;
      }
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
