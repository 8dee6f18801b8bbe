import { useState } from 'react'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { chooseTheme, chosenTheme } from './theme.ts'

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
