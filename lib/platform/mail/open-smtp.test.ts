import tls from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseEnvironment } from "#lib/platform/config/environment";
import { mailCertificate } from "#testing/mail-certificate";
import { startMailServer } from "#testing/mail-server";
import { openSmtp } from "./open-smtp.ts";

/** Trusts an issuer like NODE_EXTRA_CA_CERTS does at the start of a process. */
function trust(certificate: string): void {
  const before = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
}

/** Sends a mail to a new server, and returns whether each one that it received came over TLS. */
async function send(
  ...[kind, query = "", host = "localhost"]: [Parameters<typeof startMailServer>[0], string?, string?]
) {
  const server = await startMailServer(kind);
  onTestFinished(() => server.close());
  const url = `${server.variables.SMTP_URL.replace("localhost", host)}${query}`;
  const { mail } = parseEnvironment({ ...server.variables, SMTP_URL: url });
  const content = { id: "1", to: "ada@example.com", subject: "s", text: "t", html: "<p>h</p>" };
  const sent = openSmtp(mail!)(content, AbortSignal.timeout(10_000));
  return sent.then(
    () => server.received.map(({ secure }) => secure),
    (error: Error) => [server.received.length, error.message],
  );
}

describe.each(["STARTTLS", "implicit"] as const)("mail over TLS (%s)", (kind) => {
  it("is sent encrypted if the certificate is trusted", async () => {
    trust(mailCertificate.cert);
    expect(await send(kind)).toEqual([true]);
  });

  it("is not sent to a server whose certificate is self-made", async () => {
    expect(await send(kind)).toEqual([
      0,
      expect.stringMatching(/^The certificate .* is not trusted: self-signed certificate.*SMTP_URL must /),
    ]);
  });

  it("is not sent to a server whose certificate names another host", async () => {
    trust(mailCertificate.cert);
    const [received, message] = await send(kind, "", "127.0.0.1");
    expect([received, message]).toEqual([
      0,
      expect.stringMatching(/^The certificate .* is not trusted: .*127\.0\.0\.1/),
    ]);
  });
});

it("is not sent in the clear if the address demands TLS", async () => {
  expect(await send("none", "?requireTLS=true")).toEqual([0, expect.stringContaining("ETLS")]);
});
