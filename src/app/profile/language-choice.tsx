import { LANGUAGE_NAMES, LANGUAGES, language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { useLanguageChange } from '#app/ui/words/language-change.ts'

/** The language of this device. */
export function LanguageChoice() {
  const { choose, dialog } = useLanguageChange()
  return (
    <>
      <ChoiceRow
        label={t('Language')}
        choices={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }))}
        chosen={language()}
        onChoose={choose}
      />
      {dialog}
    </>
  )
}
