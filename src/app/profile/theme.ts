import { THEME_COLORS } from '#contract/page-data.ts'
import { setCookie } from '#app/ui/device/cookie-of.ts'
import { storeText } from '#app/ui/device/storage.ts'

const KEY = 'theme'

/**
 * 'light', 'dark' or 'system'. The server writes a choice into the page, `public/theme.js` into the
 * offline shell.
 */
export function chosenTheme(): string {
  return document.documentElement.dataset['theme'] ?? 'system'
}

/**
 * Applies a choice and stores it: in a cookie for the server, and in local storage, where the
 * browser allows it, for the offline shell.
 */
export function chooseTheme(theme: string): void {
  setCookie(KEY, theme, theme === 'system' ? 0 : undefined)
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  colorBars(theme)
  storeText('localStorage', KEY, theme === 'system' ? undefined : theme)
}

/** The browser's bars ask the device for its theme: a choice holds for both answers. */
function colorBars(theme: string): void {
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = bar.media.includes('dark') ? 'dark' : 'light'
    bar.content = THEME_COLORS[theme === 'light' || theme === 'dark' ? theme : own]
  }
}
