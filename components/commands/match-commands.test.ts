import { describe, expect, it } from "vitest";
import { type Command, matchCommands } from "./match-commands.ts";

const command = (title: string, group: Command["group"], words = ""): Command => ({
  id: title,
  group,
  title,
  words,
  run: () => {},
});
const commands = [
  command("New scenario", "Actions", "create add"),
  command("Toggle theme", "Actions", "dark light"),
  command("Scenarios", "This project"),
  command("Été à Genève", "Scenarios"),
  command("A warmer scenario", "Scenarios"),
];
const found = (text: string) => matchCommands(commands, text).map(({ title }) => title);

describe("matchCommands", () => {
  it("returns all commands in order for an empty text", () => {
    expect(found(" ")).toEqual(commands.map(({ title }) => title));
  });

  it("ranks titles that start with the text before titles with a matching word", () => {
    expect(found("scen")).toEqual(["Scenarios", "New scenario", "A warmer scenario"]);
  });

  it("matches keywords and several words, ignoring accents and case", () => {
    expect(found("dark")).toEqual(["Toggle theme"]);
    expect(found("WARM scen")).toEqual(["A warmer scenario"]);
    expect(found("ete geneve")).toEqual(["Été à Genève"]);
    expect(found("nothing of it")).toEqual([]);
  });

  it("keeps groups together and limits the number of results", () => {
    const many = Array.from({ length: 500 }, (_, i) =>
      command(`Scenario ${i}`, i % 2 ? "Scenarios" : "Projects"),
    );
    const groups = matchCommands(many, "scenario").map(({ group }) => group);
    expect(groups).toHaveLength(40);
    expect(groups.filter((group, index) => group !== groups[index - 1])).toHaveLength(2);
  });
});
