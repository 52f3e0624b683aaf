/** Names of each month in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents. */
const NAMES = [
  "january jan januar janner jaenner janvier janv enero ene gennaio gen janeiro januari",
  "february feb februar febr fevrier fevr fev febrero febbraio fevereiro februari",
  "march mar marz maerz mrz mars marzo marco maart mrt",
  "april apr avril avr abril abr aprile",
  "may mai mayo maggio mag maio mei",
  "june jun juni juin junio giugno giu junho",
  "july jul juli juillet juil julio luglio lug julho",
  "august aug aout agosto ago augustus",
  "september sep sept septembre septiembre setiembre settembre set setembro",
  "october oct oktober okt octobre octubre ottobre ott outubro out",
  "november nov novembre noviembre novembro",
  "december dec dezember dez decembre diciembre dic dicembre dezembro",
];

const numbers = new Map(
  NAMES.flatMap((names, at) => names.split(" ").map((name): [string, number] => [name, at + 1])),
);

/** Returns 1 to 12 for the name of a month, in any case, with or without accents and a full stop; otherwise NaN. */
export function monthNumber(name: string): number {
  const plain = name.normalize("NFD").replace(/[\u0300-\u036f.]/g, "");
  return numbers.get(plain.toLowerCase()) ?? Number.NaN;
}
