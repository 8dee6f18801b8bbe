import { routes } from '#contract/routes.ts'
import { choiceOf, STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { riskTitle } from '#words/names.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { checkText, proofFile, proofHref } from './proof-link.tsx'

/** The proofs of all strategies, under the table that compares them. */
export function EvidenceProofs() {
  const proofs = STRATEGY_KEYS.map((key) => ({ key, choice: choiceOf(key) }))
  return (
    <div className="max-w-page px-5 pt-2">
      <p className="text-14 text-ink2">{t('Download the proof')}</p>
      <ul className="flex flex-wrap gap-x-5">
        {proofs.map(({ key, choice }) => (
          <li key={key}>
            <DownloadLink
              href={proofHref(routes.getEvidenceBundle.path, { strategy: key })}
              file={proofFile(key)}
            >
              {choice.strategy === 'trend' ? riskTitle(choice.riskLevel) : strategyTitle(choice)}
            </DownloadLink>
          </li>
        ))}
      </ul>
      <p className="text-14 text-pretty wrap-anywhere text-ink2">{checkText()}</p>
    </div>
  )
}
