/** Browsers by the token that only they send. Each also sends the tokens of those below it, so the order matters. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Apple's own browser engine. By default an iPad identifies itself as a Mac. */
const APPLE_BROWSER = /\b(Version\/[\d.]+ .*Safari|CriOS|FxiOS|EdgiOS|OPiOS|OPT)\b/

/**
 * A device as its browser describes itself: 'Chrome on Android'. Nothing is guessed, and versions are left out because browsers freeze them.
 * Threat: the text is chosen by whoever signs in, so unknown text is never shown.
 */
export function deviceOf(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent)
  const system = /\bMacintosh\b/.test(userAgent) ? macOf(userAgent) : nameIn(SYSTEMS, userAgent)
  if (browser === undefined) return system === undefined ? 'Unknown device' : `Unknown browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}

function macOf(userAgent: string): string {
  return APPLE_BROWSER.test(userAgent) ? 'Mac or iPad' : 'Mac'
}

function nameIn(table: readonly (readonly [mark: RegExp, name: string])[], text: string): string | undefined {
  return table.find(([mark]) => mark.test(text))?.[1]
}
