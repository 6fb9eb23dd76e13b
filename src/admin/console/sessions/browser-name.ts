/** Browsers by what they call themselves; one that also claims to be another comes before it. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['petstore', /^petstore\/(\S+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
] as const;

const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Darwin/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /Linux|X11/],
] as const;

/** What people call the browser of a `User-Agent`: `Chrome 156 on Linux`; the text itself where it names none that is known. */
export function browserName(userAgent: string): string {
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return `${name} ${version}${system ? ` on ${system}` : ''}`;
  }
  return userAgent || 'Unknown browser';
}
