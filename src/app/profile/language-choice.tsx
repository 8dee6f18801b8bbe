import { LANGUAGE_NAMES, LANGUAGES, language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'

const YEAR_SECONDS = 31_536_000

/** The language of this device. A page keeps its language, so a choice loads the page again. */
export function LanguageChoice() {
  return (
    <ChoiceRow
      label={t('Language')}
      choices={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }))}
      chosen={language()}
      onChoose={(next) => {
        document.cookie = `language=${next}; path=/; samesite=lax; max-age=${YEAR_SECONDS}`
        location.reload()
      }}
    />
  )
}
