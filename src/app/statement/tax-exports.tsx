import { useState } from 'react'
import { plainRoutes } from '#contract/plain-routes.ts'
import { TAX_FORMATS, type TaxFormat } from '#core/statement/tax-format.ts'
import { msg, say, t } from '#words/words.ts'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { Field } from '#app/ui/forms/fields.tsx'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { Section } from '#app/ui/frame/section.tsx'

const NAMES: Record<TaxFormat, string> = {
  koinly: msg('Koinly'),
  cointracking: msg('CoinTracking'),
  'rotki-trades': msg('rotki: trades'),
  'rotki-events': msg('rotki: deposits, withdrawals, interest and fees'),
}

/**
 * Files for tax tools. They contain all years, because the cost of coins depends on earlier ones.
 */
export function TaxExports() {
  const [format, setFormat] = useState<TaxFormat>('koinly')
  return (
    <div className="print:hidden">
      <Section title={t('Export for tax tools')}>
        <p className="pb-4 text-16 text-pretty text-ink2">
          {t(
            'One file for all years, in the format that the tool imports: trades, fees, ' +
              'interest, deposits and withdrawals. For rotki there are two files.',
          )}
        </p>
        <Field label={t('Format')}>
          {(wiring) => (
            <WholeSelect
              {...wiring}
              shown={say(NAMES[format])}
              value={format}
              onChange={({ target: { value } }) =>
                setFormat(TAX_FORMATS.find((each) => each === value) ?? format)
              }
            >
              {TAX_FORMATS.map((each) => (
                <option key={each} value={each}>
                  {say(NAMES[each])}
                </option>
              ))}
            </WholeSelect>
          )}
        </Field>
        <div className="pt-2">
          <DownloadLink href={`${plainRoutes.tax}?format=${format}`}>
            {t('Download the export (CSV)')}
          </DownloadLink>
        </div>
      </Section>
    </div>
  )
}
