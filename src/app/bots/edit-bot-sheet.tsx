import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { checkPairs } from '#core/bots/bot.ts'
import { forecastChange, isSameSettings, type BotSettings } from '#core/bots/change-settings.ts'
import { PAIRS } from '#core/market/pair.ts'
import { ceilToCents } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { riskTitle, strategyTitle } from '#words/strategy-names.ts'
import { msg, t } from '#words/words.ts'
import { useUpdateBot } from './bot-queries.ts'
import { useForm } from '#app/api/form.tsx'
import { useConfig } from '#app/api/queries.ts'
import { pairText } from '#app/market/market-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { LevelChoice } from './level-choice.tsx'
import { PairChips } from './pair-chips.tsx'
import { ReviewedForm } from './sheet-step.tsx'

type Props = { bot: Bot; open: boolean; onClose: () => void }

export function EditBotSheet({ bot, open, onClose }: Props) {
  // Used outside of the sheet, because the result may arrive after the sheet was closed.
  const update = useUpdateBot()
  return (
    <Sheet open={open} onClose={onClose} title={t('Edit bot')} description={bot.name}>
      <Steps bot={bot} update={update} onClose={onClose} />
    </Sheet>
  )
}

type StepsProps = Omit<Props, 'open'> & { update: ReturnType<typeof useUpdateBot> }

const SAME = msg('Choose other pairs or another risk level.')
const SAME_PAIRS = msg('Choose other pairs.')

function Steps({ bot, update, onClose }: StepsProps) {
  const [wanted, setWanted] = useState<BotSettings>(bot)
  const form = useForm({
    action: 'updateBot',
    request: update,
    isReviewed: true,
    read: () => ({
      ...wanted,
      tradingPairs: PAIRS.filter((pair) => wanted.tradingPairs.includes(pair)),
    }),
    check: (settings) => ({ tradingPairs: () => checkSettings(bot, settings) }),
    send: ({ riskLevel, tradingPairs }) =>
      update.mutateAsync({ id: bot.id, riskLevel, tradingPairs }),
    onDone: ({ name }) => {
      showToast({
        title: t('Changing Bot'),
        description: t('The money of {bot} moves at the next price.', { bot: name }),
      })
      onClose()
    },
  })
  const edit = (part: Partial<BotSettings>) => {
    setWanted({ ...wanted, ...part })
    form.edited('tradingPairs')
  }
  return (
    <ReviewedForm
      form={form}
      name={t('Settings')}
      review={<Review bot={bot} wanted={form.reviewed ?? wanted} />}
      confirm={t('Confirm and change')}
      pending={t('Saving…')}
    >
      {bot.strategy !== 'hold' && (
        <LevelChoice
          value={{ ...wanted, strategy: bot.strategy }}
          onChange={(riskLevel) => edit({ riskLevel })}
        />
      )}
      <PairChips
        value={wanted.tradingPairs}
        error={form.errors.tradingPairs}
        onChange={(tradingPairs) => edit({ tradingPairs })}
      />
      <p className="text-14 text-ink2">
        {t('A bot keeps its kind. For another kind, create a new bot.')}
      </p>
    </ReviewedForm>
  )
}

function checkSettings(bot: Bot, wanted: BotSettings): void {
  checkPairs(wanted.tradingPairs, PAIRS)
  if (isSameSettings(bot, wanted))
    throw new Refusal('invalid-input', { sentence: bot.strategy === 'hold' ? SAME_PAIRS : SAME })
}

function Review({ bot, wanted }: { bot: Bot; wanted: BotSettings }) {
  const costBps = useConfig().data?.tradingCostBps
  return (
    <>
      <div>
        <h3 className="text-16 text-ink2">{t('{bot} will trade', { bot: bot.name })}</h3>
        <p className="text-20 font-semibold">{wanted.tradingPairs.map(pairText).join(', ')}</p>
        <p className="text-16">
          {bot.strategy === 'trend'
            ? t('{level} risk', { level: riskTitle(wanted.riskLevel) })
            : strategyTitle({ ...wanted, strategy: bot.strategy })}
        </p>
      </div>
      {costBps !== undefined && <Forecast {...{ bot, wanted, costBps }} />}
      <p className="text-14 text-ink2">
        {t(
          'Coins that do not fit your new settings are sold at the next price. The money ' +
            'goes to the coins you chose. It stays in the bot: no fee is due, and the ' +
            'investment and the history stay.',
        )}{' '}
        {t("Until then, you can't pause the bot, add money, take money out or change it again.")}
      </p>
    </>
  )
}

/**
 * An approximation, because the market moves until the change is made and the pairs of a bot are
 * rarely worth the same.
 */
function Forecast({ bot, wanted, costBps }: { bot: Bot; wanted: BotSettings; costBps: number }) {
  const worth = decimalToUnits(bot.equity) + decimalToUnits(bot.closingFee)
  const { moved, selling, buying } = forecastChange({
    worth,
    coins: decimalToUnits(bot.coins),
    from: bot,
    to: wanted,
    costBps,
  })
  return (
    <Receipt
      lines={[
        {
          label: t('Money that moves (approx.)'),
          value: <Money amount={unitsToDecimal(moved, 2)} />,
        },
        {
          label: t('Selling costs (approx.)'),
          value: <Money amount={unitsToDecimal(-ceilToCents(selling), 2)} />,
        },
        {
          label:
            bot.strategy === 'trend'
              ? t('Buying costs if there is a trend (approx., at most)')
              : t('Buying costs (approx., at most)'),
          value: <Money amount={unitsToDecimal(-ceilToCents(buying), 2)} />,
        },
        { label: t('Our fee'), value: <Money amount="0.00" /> },
      ]}
    />
  )
}
