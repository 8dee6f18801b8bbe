import { useState } from 'react'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'

const KEY = 'theme'
const YEAR_SECONDS = 31_536_000

const THEMES = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
]

export function ThemeChoice() {
  const before = useDeviceFact({ onDevice: chosenTheme, onPage: ({ theme }) => theme })
  const [theme, setTheme] = useState<string>()
  return (
    <ChoiceRow
      label="Theme"
      choices={THEMES}
      chosen={theme ?? before}
      onChoose={(next) => {
        chooseTheme(next)
        setTheme(next)
      }}
    />
  )
}

/** 'light' or 'dark' where this device has chosen one, else 'system'. The server writes it into the page, `public/theme.js` into that for when there is no network. */
function chosenTheme(): string {
  return document.documentElement.dataset['theme'] ?? 'system'
}

/** Applies a choice at once and keeps it where the browser allows storage; a cookie tells the server, whose landing page has no script. */
function chooseTheme(theme: string): void {
  document.cookie = `${KEY}=${theme}; path=/; samesite=lax; max-age=${theme === 'system' ? 0 : YEAR_SECONDS}`
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
