// Forms of times that random tables are written in, each with the steps of its rows.

export const DAY_MS = 86_400_000;
const two = (value: number) => String(value).padStart(2, "0");
const parts = (ms: number) => {
  const at = new Date(ms);
  const [y, m, d, h, i] = [
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
  ];
  return { y, m, d, h, i, yy: two(y % 100), mm: two(m), dd: two(d), hh: two(h), ii: two(i) };
};
const isoWeek = (ms: number) => {
  const thursday = ms + 3 * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  return `${year} ${two(Math.floor((thursday - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1)}`;
};

export type Write = (ms: number) => string;
const locales = ["en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "it-IT", "nl-NL", "pt-BR"];
const named = (locale: string, options: Intl.DateTimeFormatOptions): Write => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  return (ms) => format.format(ms);
};

const dayForms: Record<string, Write> = {
  iso: (ms) => new Date(ms).toISOString().slice(0, 10),
  "iso time": (ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " "),
  "y-m-d": (ms) => `${parts(ms).y}-${parts(ms).m}-${parts(ms).d}`,
  "y.mm.dd": (ms) => `${parts(ms).y}.${parts(ms).mm}.${parts(ms).dd}`,
  "d.m.y": (ms) => `${parts(ms).d}.${parts(ms).m}.${parts(ms).y}`,
  "dd.mm.yy": (ms) => `${parts(ms).dd}.${parts(ms).mm}.${parts(ms).yy}`,
  "m/d/y": (ms) => `${parts(ms).m}/${parts(ms).d}/${parts(ms).y}`,
  "d/m/y": (ms) => `${parts(ms).dd}/${parts(ms).mm}/${parts(ms).y}`,
  "m/d/yy": (ms) => `${parts(ms).m}/${parts(ms).d}/${parts(ms).yy}`,
  "d/m/yy": (ms) => `${parts(ms).dd}/${parts(ms).mm}/${parts(ms).yy}`,
  "yy-mm-dd": (ms) => `${parts(ms).yy}-${parts(ms).mm}-${parts(ms).dd}`,
  yyyymmdd: (ms) => `${parts(ms).y}${parts(ms).mm}${parts(ms).dd}`,
  ddmmyyyy: (ms) => `${parts(ms).dd}${parts(ms).mm}${parts(ms).y}`,
  mmddyyyy: (ms) => `${parts(ms).mm}${parts(ms).dd}${parts(ms).y}`,
  yymmdd: (ms) => `${parts(ms).yy}${parts(ms).mm}${parts(ms).dd}`,
  ddmmyy: (ms) => `${parts(ms).dd}${parts(ms).mm}${parts(ms).yy}`,
  mmddyy: (ms) => `${parts(ms).mm}${parts(ms).dd}${parts(ms).yy}`,
  "mmm-dd": (ms) => `${new Date(ms).toUTCString().slice(8, 11)}-${parts(ms).dd}`,
  "epoch s": (ms) => String(ms / 1000),
  "epoch ms": String,
  ...Object.fromEntries(
    locales.flatMap((locale) => [
      [`${locale} long`, named(locale, { dateStyle: "long" })],
      [
        `${locale} full`,
        named(locale, { weekday: "short", day: "numeric", month: "short", year: "numeric" }),
      ],
    ]),
  ),
};
const hourForms: Record<string, Write> = {
  iso: (ms) => new Date(ms).toISOString(),
  "d.m.y h:m": (ms) => `${parts(ms).d}.${parts(ms).m}.${parts(ms).y} ${parts(ms).hh}:${parts(ms).ii}`,
  "m/d/y h:m": (ms) => `${parts(ms).m}/${parts(ms).d}/${parts(ms).y} ${parts(ms).hh}:${parts(ms).ii}`,
  yyyymmddhh: (ms) => `${parts(ms).y}${parts(ms).mm}${parts(ms).dd}${parts(ms).hh}`,
  // The hour before, from 01 to 24.
  "yyyymmdd01 to 24": (ms) => {
    const { y, mm, dd, h } = parts(ms - 3_600_000);
    return `${y}${mm}${dd}${two(h + 1)}`;
  },
  yyyymmddhhmi: (ms) => `${parts(ms).y}${parts(ms).mm}${parts(ms).dd}${parts(ms).hh}${parts(ms).ii}`,
  "epoch s": (ms) => String(ms / 1000),
  "epoch ms": String,
};
const { yyyymmddhh: _, "yyyymmdd01 to 24": __, ...minuteForms } = hourForms;
const monthForms: Record<string, Write> = {
  "yyyy-mm": (ms) => `${parts(ms).y}-${parts(ms).mm}`,
  "yyyy/mm": (ms) => `${parts(ms).y}/${parts(ms).mm}`,
  yyyymm: (ms) => `${parts(ms).y}${parts(ms).mm}`,
  yymm: (ms) => `${parts(ms).yy}${parts(ms).mm}`,
  "mm.yyyy": (ms) => `${parts(ms).mm}.${parts(ms).y}`,
  "m/yyyy": (ms) => `${parts(ms).m}/${parts(ms).y}`,
  yyyyMmm: (ms) => `${parts(ms).y}M${parts(ms).mm}`,
  "year, middle": (ms) => (parts(ms).y + (parts(ms).m - 0.5) / 12).toFixed(4),
  "year, start": (ms) => (parts(ms).y + (parts(ms).m - 1) / 12).toFixed(3),
  ...Object.fromEntries(
    locales.map((locale) => [`${locale} month`, named(locale, { month: "long", year: "numeric" })]),
  ),
};
const quarter = (ms: number) => Math.ceil(parts(ms).m / 3);
export const forms: [step: (from: number, row: number) => number, Record<string, Write>][] = [
  [(from, row) => from + row * DAY_MS, dayForms],
  [(from, row) => from + row * 3_600_000, hourForms],
  [(from, row) => from + row * 600_000, minuteForms],
  [(from, row) => Date.UTC(parts(from).y, parts(from).m - 1 + row, 1), { ...monthForms, ...dayForms }],
  [
    (from, row) => Math.floor((from / DAY_MS + 3) / 7) * 7 * DAY_MS - 3 * DAY_MS + row * 7 * DAY_MS,
    {
      ...dayForms,
      yyyyww: (ms) => isoWeek(ms).replace(" ", ""),
      yyww: (ms) => isoWeek(ms).replace(" ", "").slice(2),
      "yyyy-Www": (ms) => isoWeek(ms).replace(" ", "-W"),
      "yyyy-ww": (ms) => isoWeek(ms).replace(" ", "-"),
      "ww/yyyy": (ms) => isoWeek(ms).split(" ").reverse().join("/"),
      "KW w yyyy": (ms) => `KW ${Number(isoWeek(ms).slice(5))} ${isoWeek(ms).slice(0, 4)}`,
    },
  ],
  [
    (from, row) => Date.UTC(parts(from).y, 3 * row, 1),
    {
      yyyyQq: (ms) => `${parts(ms).y}Q${quarter(ms)}`,
      "Qq yyyy": (ms) => `Q${quarter(ms)} ${parts(ms).y}`,
      yyyyq: (ms) => `${parts(ms).y}${quarter(ms)}`,
      yyyy0q: (ms) => `${parts(ms).y}0${quarter(ms)}`,
      "yyyy-q": (ms) => `${parts(ms).y}-${quarter(ms)}`,
    },
  ],
  [
    (from, row) => Date.UTC(parts(from).y - 30 + row, 0, 1),
    {
      yyyy: (ms) => String(parts(ms).y),
      "yyyy-yy": (ms) => `${parts(ms).y}-${two((parts(ms).y + 1) % 100)}`,
      "yyyy/y": (ms) => `${parts(ms).y}/${(parts(ms).y + 1) % 10}`,
      "yyyy/yyyy": (ms) => `${parts(ms).y}/${parts(ms).y + 1}`,
    },
  ],
];

type PartForm = { step: (typeof forms)[number][0]; write: (ms: number) => Record<string, number | string> };
const [dayStep, hourStep, , monthStep, weekStep, quarterStep] = forms.map(([step]) => step);

/** Times in several columns. Names that say nothing stand in an order that the values or the documentation decide. */
export const partForms: PartForm[] = [
  { step: monthStep!, write: (ms) => ({ year: parts(ms).y, month: parts(ms).m }) },
  { step: monthStep!, write: (ms) => ({ a: parts(ms).m, b: parts(ms).y }) },
  {
    step: monthStep!,
    write: (ms) => ({ Monat: new Date(ms).toUTCString().slice(8, 11), Jahr: parts(ms).y }),
  },
  { step: quarterStep!, write: (ms) => ({ q: quarter(ms), year: parts(ms).y }) },
  {
    step: weekStep!,
    write: (ms) => ({ week: Number(isoWeek(ms).slice(5)), year: Number(isoWeek(ms).slice(0, 4)) }),
  },
  { step: dayStep!, write: (ms) => ({ day: parts(ms).d, month: parts(ms).m, year: parts(ms).y }) },
  { step: dayStep!, write: (ms) => ({ year: parts(ms).y, day: parts(ms).d, month: parts(ms).m }) },
  { step: dayStep!, write: (ms) => ({ a: parts(ms).d, b: parts(ms).m, c: parts(ms).y }) },
  { step: dayStep!, write: (ms) => ({ a: parts(ms).m, b: parts(ms).d, c: parts(ms).y }) },
  {
    step: hourStep!,
    write: (ms) => ({ hour: parts(ms).h, day: parts(ms).d, month: parts(ms).m, year: parts(ms).y }),
  },
];
