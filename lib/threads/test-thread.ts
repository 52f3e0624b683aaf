import { answerQuestions } from "./answer-questions.ts";

// The thread of thread-pool.test.ts.
let asked = 0;

answerQuestions(async (question: string) => {
  asked++;
  if (question === "end") process.exit(3);
  if (question === "fail") throw new RangeError("Not so.", { cause: new Error("That is why.") });
  const held: unknown[] = [];
  while (question === "fill") held.push({ at: held.length });
  return `${question} ${asked}`;
});
