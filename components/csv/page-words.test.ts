import { expect, test } from "vitest";
import { pageWords } from "./page-words.ts";

test.each([
  [
    'Row 1, column "t": "1.2.2024" is ambiguous: 2024-01-02 or 2024-02-01. Write 2024-01-02 or 2024-02-01, or set the dataset\'s dateOrder.',
    'Row 1, column "t": "1.2.2024" is ambiguous: 2024-01-02 or 2024-02-01. Write 2024-01-02 or 2024-02-01.',
  ],
  [
    'Column "y": -999 is far from all other values (2 rows, first in row 4). If it means a missing value, add it to `missing`.',
    'Column "y": -999 is far from all other values (2 rows, first in row 4).',
  ],
  [
    'The header is probably line 3 ("a, b"), because most lines have 2 values. To use it, send {"headerRow":3} with the file, or delete the lines above.',
    'The header is probably line 3 ("a, b"), because most lines have 2 values.',
  ],
  ["Row 2 has 1 value; the header has 2 columns.", "Row 2 has 1 value; the header has 2 columns."],
])("says %j in words of the page", (message, words) => {
  expect(pageWords(message)).toBe(words);
});
