/** An option of a request in a message. The page has a button or a field for it. */
const CLAUSE =
  /,? or set the dataset's \w+|, unless the dataset's numberFormats name the format of the column| \(`\w+`\)/g;
const OPTION = /`\w+`|the dataset's \w+|\bsend \{/;

/** Returns a message without the names of options of requests, which the page shows as buttons. */
export function pageWords(message: string): string {
  const [first = "", ...others] = message.replace(CLAUSE, "").split(/(?<=[.?]) (?=[A-Z])/);
  return [first, ...others.filter((sentence) => !OPTION.test(sentence))].join(" ");
}
