import { t } from './words.ts'

/**
 * Browsers by their token, in the user agent or in quotes in the client hints (Sec-CH-UA). A
 * browser may also send the tokens of those below it, so the order matters.
 */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/"Brave"/, 'Brave'],
  [/\bVivaldi\/|"Vivaldi"/, 'Vivaldi'],
  [/\bDuckDuckGo\/|\bDdg\/|"DuckDuckGo"/, 'DuckDuckGo'],
  [/\bEdg(e|A|iOS)?\/|"Microsoft Edge"/, 'Edge'],
  [/\b(OPR|OPiOS|OPT)\/|"Opera"/, 'Opera'],
  [/\bSamsungBrowser\/|"Samsung Internet"/, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bGSA\//, 'Google app'],
  [/\b(Chrome|Chromium|HeadlessChrome|CriOS)\/|"Google Chrome"|"Chromium"/, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b|"Chrome OS"/, 'ChromeOS'],
  [/"macOS"/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Apple's own browser engine. Needed to recognize iPads, which identify themselves as Macs. */
const APPLE_BROWSER = /\b(Version\/[\d.]+ .*Safari|CriOS|FxiOS|EdgiOS|OPiOS|OPT)\b/

/**
 * A device, by user agent and client hints: 'Chrome on Android'. Nothing is guessed, and versions
 * are left out because browsers freeze them. Threat: whoever signs in chooses these texts, so
 * unknown text is never shown.
 */
export function deviceOf(described: string): string {
  const browser = nameIn(BROWSERS, described)
  const system = /\bMacintosh\b/.test(described) ? macOf(described) : nameIn(SYSTEMS, described)
  if (browser === undefined)
    return system === undefined ? t('Unknown device') : t('Unknown browser on {system}', { system })
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}

function macOf(userAgent: string): string {
  return APPLE_BROWSER.test(userAgent) ? t('Mac or iPad') : 'Mac'
}

function nameIn(
  table: readonly (readonly [mark: RegExp, name: string])[],
  text: string,
): string | undefined {
  return table.find(([mark]) => mark.test(text))?.[1]
}
