import type { ReactNode } from 'react'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Percent } from '#app/ui/money/percent.tsx'
import { LandingPart } from './landing-part.tsx'

export function WhatItCosts() {
  const config = useConfig().data
  if (!config) return null
  return (
    <LandingPart title={t('What it costs')}>
      <dl className="mt-3 border-t border-hairline">
        <Cost name={t('Our fee')} amount={<Percent value={config.feePercentage} sign="never" />}>
          {t('Of the profit that you take out of a bot. No profit, no fee.')}
        </Cost>
        <Cost name={t('Trading fees')} amount={<Percent value={config.tradingFee} sign="never" />}>
          {t(
            'Of each trade, for the venue. Spread and slippage also make prices slightly worse. Every result includes all of this.',
          )}
        </Cost>
        <Cost name={t('Everything else')} amount={t('No fee')}>
          {t('Deposits, withdrawals and your account are free.')}
        </Cost>
      </dl>
    </LandingPart>
  )
}

function Cost({
  name,
  amount,
  children,
}: {
  name: string
  amount: ReactNode
  children: ReactNode
}) {
  return (
    <div className="border-b border-hairline py-3">
      <dt className="flex flex-wrap justify-between gap-x-3 text-17 font-semibold">
        {name}
        <span>{amount}</span>
      </dt>
      <dd className="text-16 text-pretty text-ink2">{children}</dd>
    </div>
  )
}
