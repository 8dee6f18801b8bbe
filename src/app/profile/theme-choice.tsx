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

/** 'light', 'dark' or 'system'. The server writes a choice into the page, `public/theme.js` into the offline shell. */
function chosenTheme(): string {
  return document.documentElement.dataset['theme'] ?? 'system'
}

/** Applies a choice and stores it: in a cookie for the server, and in local storage, where the browser allows it, for the offline shell. */
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
