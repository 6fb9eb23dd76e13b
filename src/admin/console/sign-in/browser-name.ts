/** Browsers by the words in their User-Agent; one that also names another browser comes before that one. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
] as const;

const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /Linux|X11/],
] as const;

/** The usual name for the browser of a `User-Agent`: `Chrome 156 on Linux`; the text itself if the browser is unknown. */
export function browserName(userAgent: string): string {
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}${system ? ` on ${system}` : ''}`;
  }
  return userAgent || 'Unknown browser';
}
