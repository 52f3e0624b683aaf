/** A rule of style: text that must not occur, and what to write in its place. */
type Rule = { pattern: RegExp; advice: string };

type ProseIssue = { line: number; text: string; advice: string };

const rules: readonly Rule[] = [
  {
    pattern: /\b(?:whatever|whoever|whomever|anew|befall(?:en|s)?|thereof|whereof|wherein|lest|hence)\b/i,
    advice: "Use a plain word.",
  },
  { pattern: /\b(?:tells?|told)\b/i, advice: "Write report, return, show or log." },
  { pattern: /\b(?:of (?:which|whom)|none that|as does?)\b/i, advice: "Name the subject." },
  { pattern: /\bmodels? from outside\b/i, advice: "Write imported model." },
  { pattern: /\bdependent projects?\b/i, advice: "Write upstream project or downstream project." },
  { pattern: /\b(?:loose|nobody's) artifacts?\b/i, advice: "Write orphan." },
];

const clauseStart = /^(?:What|Who|Whose|That which)\s+[a-z]/;
const WORDS_MAX = 28;

/** Finds text of a Markdown file that breaks the rules of style, and sentences that are too long. */
export function checkMarkdown(text: string): ProseIssue[] {
  const issues: ProseIssue[] = [];
  let fenced = false;
  let paragraph: { line: number; text: string } | null = null;
  const endParagraph = () => {
    if (paragraph) issues.push(...longSentences(paragraph));
    paragraph = null;
  };
  for (const [i, line] of text.split("\n").entries()) {
    if (line.startsWith("```")) fenced = !fenced;
    const prose = fenced ? "" : withoutCode(line);
    if (prose.trim() === "" || /^[#|>]|^\s*(?:[-*]|\d+\.)\s/.test(line)) endParagraph();
    if (prose.trim() === "") continue;
    issues.push(...broken(i + 1, prose));
    if (/^[#|>]/.test(line)) continue;
    paragraph = paragraph
      ? { line: paragraph.line, text: `${paragraph.text} ${prose}` }
      : { line: i + 1, text: prose };
  }
  endParagraph();
  return issues;
}

/** Finds comments of a source file that break the rules of style. */
export function checkComments(text: string): ProseIssue[] {
  return text.split("\n").flatMap((line, i) => {
    const comment = /(?:^\s*(?:\/\*\*?|\*)|(?:^|\s)\/\/)\s?(.*)$/.exec(line)?.[1];
    if (comment === undefined) return [];
    const prose = withoutCode(comment).replace(/\*\/\s*$/, "");
    const starts = /^\s*\/\*\*\s/.test(line) && clauseStart.test(prose.trim());
    const advice = "Start with a noun or a verb.";
    return [...broken(i + 1, prose), ...(starts ? [{ line: i + 1, text: line.trim(), advice }] : [])];
  });
}

/**
 * Finds strings that break the rules of style: test names, messages and descriptions. A string of three words or more,
 * on one line, counts as text for people.
 */
export function checkTexts(source: string): ProseIssue[] {
  return source.split("\n").flatMap((line, i) => {
    const code = line.replace(/^\s*(?:\/?\*|\/\/).*/, "").replaceAll(/\$\{[^}]*\}/g, "value");
    return [...code.matchAll(/(test|it|describe)?(?:\()?(["'`])((?:\\.|(?!\2).)*)\2/g)].flatMap(
      ([, isTitle, , text = ""]) => {
        if (!/\w+ \w+ \w+/.test(text)) return [];
        const starts = isTitle !== undefined && /^(?:what|who|whose|that which)\s/i.test(text);
        const advice = "Start with a noun or a verb.";
        return [...broken(i + 1, text), ...(starts ? [{ line: i + 1, text, advice }] : [])];
      },
    );
  });
}

function withoutCode(line: string): string {
  return line.replace(/`[^`]*`/g, "code").replace(/\]\([^)]*\)/g, "]");
}

function broken(line: number, text: string): ProseIssue[] {
  return rules
    .filter(({ pattern }) => pattern.test(text))
    .map(({ advice }) => ({ line, text: text.trim(), advice }));
}

function longSentences({ line, text }: { line: number; text: string }): ProseIssue[] {
  return text
    .split(/(?<=[.!?:])\s+/)
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > WORDS_MAX)
    .map((sentence) => ({ line, text: sentence.trim(), advice: `Split it: at most ${WORDS_MAX} words.` }));
}
