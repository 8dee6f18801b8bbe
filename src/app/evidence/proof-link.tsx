import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { t } from '#words/words.ts'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'

type Props = { path: string; query: { strategy: StrategyKey } & Record<string, string> }

export function ProofLink({ path, query }: Props) {
  return (
    <div>
      <DownloadLink href={proofHref(path, query)} file={proofFile(query.strategy)}>
        {t('Download the proof')}
      </DownloadLink>
      <p className="text-14 text-pretty wrap-anywhere text-ink2">{checkText()}</p>
    </div>
  )
}

export function proofHref(path: string, query: Props['query']): string {
  return `${path}?${new URLSearchParams(query).toString()}`
}

export const proofFile = (strategy: StrategyKey): string => `proof-${strategy}.json`

export const checkText = (): string =>
  t('To check it, compute these figures again with a copy of the code, as its README describes.')
