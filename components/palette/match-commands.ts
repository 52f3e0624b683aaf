export type Command = {
  id: string;
  group: "Actions" | "This project" | "Scenarios" | "Checkpoints" | "Projects" | "Service";
  title: string;
  /** Beside the title: what tells it from others of that name. */
  note?: string;
  /** Further words that find it. */
  words?: string;
  run(): void;
};

const shownMax = 40;

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** 0: no match; the greater, the nearer. */
function score(command: Command, wanted: readonly string[]): number {
  const title = plain(command.title);
  const all = `${title} ${plain(`${command.note ?? ""} ${command.words ?? ""}`)}`;
  if (!wanted.every((word) => all.includes(word))) return 0;
  if (wanted.every((word, index) => (index === 0 ? title.startsWith(word) : title.includes(word)))) return 4;
  if (wanted.every((word) => ` ${title}`.includes(` ${word}`))) return 3;
  return wanted.every((word) => title.includes(word)) ? 2 : 1;
}

/** The commands that a text finds, the nearest group first; each group stays together. An empty text finds all. */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  const found = commands
    .map((command) => ({ command, score: wanted.length === 0 ? 1 : score(command, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, shownMax)
    .map(({ command }) => command);
  const groups = [...new Set(found.map(({ group }) => group))];
  return groups.flatMap((group) => found.filter((command) => command.group === group));
}
