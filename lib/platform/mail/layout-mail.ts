export type MailContent = {
  subject: string;
  paragraphs: readonly string[];
  /** The link of the mail. */
  action: { label: string; url: string };
};

export type MailText = { subject: string; text: string; html: string };

const longestTitle = 100;

/**
 * Returns a user's text as one short line: without line breaks, and without invisible characters that could end a header or
 * reverse the text after it.
 */
export function oneLine(text: string, longest = longestTitle): string {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join("")}…`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);

/** Writes a mail as plain text and as simple HTML, in which all texts are escaped. */
export function layoutMail({ subject, paragraphs, action: { label, url } }: MailContent): MailText {
  const address = escapeHtml(url);
  const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`;
  const button = `<a href="${address}" style="display:inline-block;padding:8px 16px;border-radius:6px;background:#0f5f63;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a>`;
  const body = [...paragraphs.map(escapeHtml), button, address].map(paragraph).join("\n");
  return {
    subject,
    text: `${[...paragraphs, `${label}:\n${url}`].join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:24px;max-width:36em;font:16px/1.5 system-ui,sans-serif">
${body}
</body></html>
`,
  };
}
