export type Command = {
  id: string;
  group: "Actions" | "This project" | "Scenarios" | "Comparisons" | "Checkpoints" | "Projects" | "Service";
  title: string;
  /** Text next to the title that distinguishes commands with the same title. */
  note?: string;
  /** Additional search words. */
  words?: string;
  run(): void;
};

const shownMax = 40;

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Returns the score of a match; 0 means no match. */
function score(command: Command, words: readonly string[]): number {
  const title = plain(command.title);
  const all = `${title} ${plain(`${command.note ?? ""} ${command.words ?? ""}`)}`;
  if (!words.every((word) => all.includes(word))) return 0;
  if (words.every((word, index) => (index === 0 ? title.startsWith(word) : title.includes(word)))) return 4;
  if (words.every((word) => ` ${title}`.includes(` ${word}`))) return 3;
  return words.every((word) => title.includes(word)) ? 2 : 1;
}

/**
 * Returns the commands that match a text, best group first, with groups kept together. An empty text returns all
 * commands.
 */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  const matches = commands
    .map((command) => ({ command, score: words.length === 0 ? 1 : score(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, shownMax)
    .map(({ command }) => command);
  const groups = [...new Set(matches.map(({ group }) => group))];
  return groups.flatMap((group) => matches.filter((command) => command.group === group));
}
