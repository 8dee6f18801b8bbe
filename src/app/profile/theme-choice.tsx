import { useState } from 'react'
import { msg, say, t } from '#words/words.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { chooseTheme, chosenTheme } from './theme.ts'

const THEMES = [
  { value: 'system', text: msg('System') },
  { value: 'light', text: msg('Light') },
  { value: 'dark', text: msg('Dark') },
]

export function ThemeChoice() {
  const before = useDeviceFact({ onDevice: chosenTheme, onPage: ({ theme }) => theme })
  const [theme, setTheme] = useState<string>()
  return (
    <ChoiceRow
      label={t('Theme')}
      choices={THEMES.map(({ value, text }) => ({ value, text: say(text) }))}
      chosen={theme ?? before}
      onChoose={(next) => {
        chooseTheme(next)
        setTheme(next)
      }}
    />
  )
}
