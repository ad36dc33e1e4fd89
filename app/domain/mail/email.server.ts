export interface EmailContent {
  subject: string;
  before: string[];
  link: { label: string; url: string };
  after: string[];
}

export function toPlainText({ before, link, after }: EmailContent): string {
  return `${[...before, `${link.label}:\n${link.url}`, ...after].join('\n\n')}\n`;
}

/** Escapes everything that users entered. */
export function toHtml({ subject, before, link, after }: EmailContent): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const url = escapeHtml(link.url);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin: 0 auto; padding: 24px; max-width: 560px; font-family: Helvetica, Arial, sans-serif; font-size: 16px; line-height: 1.5">
${before.map(paragraph).join('\n')}
<p style="margin: 24px 0"><a href="${url}" style="display: inline-block; padding: 12px 20px; border-radius: 6px; background: #0a5c99; color: #ffffff; font-weight: bold; text-decoration: none">${escapeHtml(link.label)}</a></p>
<p style="font-size: 14px">If the button does not work, copy this address into your browser:<br><a href="${url}" style="word-break: break-all">${url}</a></p>
${after.map(paragraph).join('\n')}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
