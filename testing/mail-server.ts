import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { mailCertificate } from "./mail-certificate.ts";

export type ReceivedMail = {
  /** Recipients of the envelope. */
  to: string[];
  /** Lines of the head, unfolded, in lower case up to the colon. */
  head: string[];
  subject: string;
  text: string;
  html: string;
  /** Whether it came over TLS. */
  secure: boolean;
};

/** Answer to a mail: accepts it, rejects it with a code of SMTP, or never comes. */
type Decide = (mail: ReceivedMail) => "accept" | "hang" | number;

export const mailUser = { user: "forkcast", pass: "secret of the mail server" };

/**
 * Starts an SMTP server that records mails, and answers as the test decides.
 *
 * @param tls `STARTTLS` offers it; `implicit` begins with it; default: neither
 */
export async function startMailServer(tls: "STARTTLS" | "implicit" | "none" = "none") {
  const received: ReceivedMail[] = [];
  let decide: Decide = () => "accept";
  let rejected = "";
  const server = new SMTPServer({
    ...mailCertificate,
    secure: tls === "implicit",
    disabledCommands: tls === "none" ? ["STARTTLS"] : [],
    allowInsecureAuth: true,
    closeTimeout: 100,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === mailUser.user && password === mailUser.pass;
      done(isKnown ? null : new Error("unknown"), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      if (address !== rejected) return done();
      done(Object.assign(new Error(`${address} is unknown`), { responseCode: 550 }));
    },
    async onData(stream, session, done) {
      const raw = await buffer(stream).catch(() => null);
      // The connection ended before the mail did.
      if (raw === null) return;
      const mail = parseMail(raw.toString("utf8"));
      mail.to = session.envelope.rcptTo.map(({ address }) => address);
      mail.secure = session.secure;
      received.push(mail);
      const answer = decide(mail);
      if (answer === "accept") done();
      else if (answer !== "hang") done(Object.assign(new Error("no"), { responseCode: answer }));
    },
  });
  server.on("error", () => {}); // Connections that the service ends.
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const login = `${mailUser.user}:${encodeURIComponent(mailUser.pass)}`;
  return {
    received,
    /** Variables of a service that uses this server. */
    variables: {
      SMTP_URL: `${tls === "implicit" ? "smtps" : "smtp"}://${login}@localhost:${port}`,
      MAIL_FROM: "Forkcast <forkcast@example.com>",
      PUBLIC_URL: "https://forecasts.example.com/",
    },
    port,
    answer(next: Decide): void {
      decide = next;
    },
    /** Rejects a recipient. */
    reject(address: string): void {
      rejected = address;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function parseMail(raw: string): ReceivedMail {
  const [head, body] = splitHead(raw);
  const boundary = /boundary="([^"]+)"/.exec(head.join("\n"))?.[1] ?? "";
  const parts = body.split(`--${boundary}`).map((part) => splitHead(part.trimStart()));
  const partOf = (type: string) => {
    const [ofPart, content] = parts.find(([lines]) => lines.some((line) => line.includes(type))) ?? [[], ""];
    return decodeBody(ofPart, content);
  };
  const subject = head.find((line) => line.startsWith("subject:"))?.slice("subject:".length) ?? "";
  return {
    to: [],
    secure: false,
    head,
    subject: decodeWords(subject.trim()),
    text: partOf("text/plain"),
    html: partOf("text/html"),
  };
}

function splitHead(raw: string): [head: string[], body: string] {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  return [lines.map((line) => line.replace(/^[\w-]+:/, (name) => name.toLowerCase())), raw.slice(end + 4)];
}

/** Returns a part's text with line feeds. */
function decodeBody(head: readonly string[], body: string): string {
  return decodeTransfer(head, body).replaceAll("\r\n", "\n");
}

function decodeTransfer(head: readonly string[], body: string): string {
  const encoding = head.find((line) => line.startsWith("content-transfer-encoding:")) ?? "";
  if (encoding.includes("base64")) return Buffer.from(body, "base64").toString("utf8");
  if (!encoding.includes("quoted-printable")) return body;
  return decodeQuoted(body.replaceAll("=\r\n", ""));
}

const decodeQuoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

/** Decodes the words of a header (RFC 2047). */
const decodeWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString("utf8")
        : decodeQuoted(word.replaceAll("_", " ")),
    );
