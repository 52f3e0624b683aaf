/** Texts that break programs that interpret them as something else. None starts or ends with white space. */
export const naughtyTexts = [
  "undefined null nil NULL NaN None true Infinity -Infinity \\N 0x0 1/0 1e400 - 1E+02 0,00 1.000.000 NIL TRUE",
  "__proto__ constructor toString hasOwnProperty valueOf length then prototype",
  "../../etc/passwd C:\\con $HOME `id` %s%n%x #{7*7} {{7*7}} $(id) CON PRN nul",
  "<script>alert(1)</script> &amp; javascript:0 data:text/html,x <!-- ]]> \\u0000 %00 %0d%0a <svg/onload=0>",
  "Ω≈ç√∫˜µ≤≥÷ 田中さん 社會科學院 ﷺ בְּרֵאשִׁית \u202Etest\u202C \u200Bzero\u200B e\u0301 é İ ß ſ ǆ",
  "👩‍👩‍👧‍👦 🏳️‍🌈 Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮ 𝕿𝖍𝖊 ⅷ １２３ ﷽ \uFFFD \u{10FFFF} ¹ ½ ٠١٢",
  ', ; | " "" """ "," \' # #comment sep=, =1+1 @x + -- =cmd|\' -1.5 +3 ＝1 －1 \'=1 \'\'=1 \'- \'x',
]
  .flatMap((line) => line.split(" "))
  .concat(
    "'; DROP TABLE users; --",
    '" OR ""="',
    "مناقشة سبل",
    "👾 🙇 💁",
    "a b",
    "a\u00A0b",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "a\rb",
    "a\fb\u000Bc",
    "a\u2028b",
    "a\u0085b",
    "a\uFEFFb",
    "a\u0001\u001B[31mb",
    '{"type": "Point", "at": [102.0, 0.5]}',
    "51°14'46.8\"N",
  );
