const KEY = 'theme'

/** 'light' or 'dark' where this device has chosen one, else 'system'. `public/theme.js` applies it before the first paint. */
export function chosenTheme(): string {
  return document.documentElement.dataset['theme'] ?? 'system'
}

/** Applies a choice at once and keeps it where the browser allows storage. */
export function chooseTheme(theme: string): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
