import { useState } from 'react'
import { ChoiceRow } from '../ui/choice-row.tsx'
import { chooseTheme, chosenTheme } from './theme.ts'

const THEMES = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
]

export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <ChoiceRow
      label="Theme"
      choices={THEMES}
      chosen={theme}
      onChoose={(next) => {
        chooseTheme(next)
        setTheme(next)
      }}
    />
  )
}
