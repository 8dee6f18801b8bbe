import { t } from '#words/words.ts'

/** The limits of guards, in the place where they are set. */
export function GuardNote() {
  return (
    <p className="text-14 text-pretty text-ink2">
      {t('Guards look at the close of each market hour, and the bot sells at the next price: a fast fall can take it further than you chose. A sale costs a little, and whoever is out of the market misses its rises too.')}
    </p>
  )
}
