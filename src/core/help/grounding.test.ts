import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { takeSentences } from './answer-sentences.ts'
import { parseArticle } from './article.ts'
import { faultOf, openPassages, type Fault } from './grounding.ts'

const FACTS = {
  'password-minimum': '6',
  'deposit-minimum': '$10',
  'deposit-maximum': '$10,000',
  fee: '15 %',
  'fee-of-100': '$15',
  'trading-fee': '0.1 %',
  'half-spread': '0.02 %',
  'trend-days': '10, 20, 40 and 80',
  slippage: '0.05 %',
  'selling-cost': '0.17 %',
  'change-wait': 'After a change, no withdrawal is sent for 24 hours.',
  'looser-wait': '',
  'card-hold': '72',
  'session-days': '30',
  'session-idle-days': '14',
  'help-wording': 'Word for word.',
  'help-questions': 'Not stored.',
  'mail-way': 'We send a link to the verified email address of your account.',
  drift: '5',
  'hold-fee': 'Hold bots pay no fee on their profit.',
  'stop-loss-most': '90',
  'take-profit-most': '1,000',
  'daily-loss-most': '50',
  'cool-down-most': '365',
  'cash-yield': 'Idle cash earns nothing here.',
  contact: 'Ask the person who runs this installation',
  'to-contact': 'ask the person who runs this installation',
  'claims-of-returns': 'It is a target, not a promise: you can lose money.',
  'returns-of-levels': 'The returns shown beside the levels are targets, not promises',
  'past-returns':
    'Recorded prices, all periods of twelve months after all costs and our fee: conservative ' +
    'median +6%, worst −5%, 20% lost money; aggressive median +30%, worst −27%, 27% lost ' +
    'money.',
  'past-falls':
    'Recorded prices, the deepest fall of a bot with all 5 coins: conservative 5%, moderate ' +
    '12%, aggressive 27%.',
  'audited-returns':
    '7 other coins together, per year: conservative +1%, moderate +4%, aggressive +6%.',
  'audited-falls': 'LTC alone: conservative 24%, moderate 48%, aggressive 76%.',
}
const folder = 'docs/help'
const articles = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [
      name.replace('.md', ''),
      parseArticle(readFileSync(`${folder}/${name}`, 'utf8'), FACTS),
    ]),
)
const passagesOf = (...ids: string[]) =>
  openPassages(ids.flatMap((id) => [articles.get(id)?.title ?? '', articles.get(id)?.body ?? '']))

test('every article supports each of its own sentences', () => {
  const faults = [...articles.values()].flatMap(({ id, title, body }) => {
    const passages = openPassages([title, body])
    const { sentences, rest } = takeSentences(body)
    // A bare 'Yes.' has no meaning without the article's own question.
    const claims = [...sentences, rest].filter((sentence) => !/^(?:Yes|No)\.\s*$/.test(sentence))
    return claims.flatMap((sentence) => (faultOf(sentence, passages) ? [`${id}: ${sentence}`] : []))
  })
  expect(faults).toEqual([])
})

test.each<[articles: string, sentence: string]>([
  ['fees platform-fee trading-costs', 'Depositing and withdrawing have no fee.'],
  ['fees platform-fee trading-costs', 'Our fee is 15% of the profit that you take out of a bot.'],
  ['fees platform-fee trading-costs', 'Without a profit you pay nothing.'],
  ['deposit deposit-limits', 'Open "Deposit" on Home, choose an amount and pay by card.'],
  ['deposit deposit-limits', 'A deposit is between $10 and $10,000.'],
  ['deposit deposit-limits', 'The smallest deposit is 10 dollars.'],
  ['withdraw withdraw-time', 'Processing takes 1-3 business days.'],
  ['withdraw withdraw-time', '- Press "Request Withdrawal", check the review and confirm.'],
  ['withdraw withdraw-limits', 'You can withdraw from $10 up to your available balance.'],
  [
    'withdraw-cancel',
    'While it is pending, you can cancel it under "Open requests", and the money returns to ' +
      'your available balance.',
  ],
  ['withdraw-cancel', 'Once it is processing, it can not be canceled any more.'],
  ['losing-money', 'Every risk level can lose money.'],
  ['losing-money', 'The deepest fall of an aggressive bot with all 5 coins was 27%.'],
  ['losing-money', 'Worse than in the past is possible.'],
  ['returns', 'The returns are targets, not promises.'],
  ['pause-bot', 'A paused bot keeps its coins and cash and stops trading.'],
  ['strategy', 'Bots follow fixed, published rules.'],
  ['sessions', 'A sign-in lasts 30 days on the device.'],
  ['pairs', 'There are twelve pairs, each against USDT.'],
])('%s support: %s', (ids, sentence) => {
  expect(faultOf(sentence, passagesOf(...ids.split(' ')))).toBeUndefined()
})

test.each<[articles: string, sentence: string, fault: Fault]>([
  ['fees platform-fee', 'Our fee is 12% of the profit that you take out.', 'figure'],
  ['fees platform-fee', 'Our fee is $12 of the profit that you take out.', 'figure'],
  ['fees platform-fee', 'Our fee is twelve percent of the profit.', 'figure'],
  ['fees platform-fee', 'Our fee is １２ % of the profit.', 'foreign'],
  ['deposit deposit-limits', 'A deposit is at most $1,000,000.', 'figure'],
  ['bot-minimum deposit-limits', 'A deposit is at least $1.', 'figure'],
  ['top-up deposit-limits', 'A deposit is at least $1.', 'figure'],
  ['stop-all delete-bot', 'All bots delete immediately, confirm with DONE.', 'foreign'],
  ['withdraw-limits deposit-limits', 'A withdrawal is at least $1.', 'figure'],
  ['returns losing-money', 'Returns of 75% are guaranteed.', 'promise'],
  ['returns losing-money', 'You will earn about 17% a year.', 'promise'],
  ['returns losing-money', 'Your bot is going to make a profit.', 'promise'],
  ['returns losing-money', 'You cannot lose money here.', 'promise'],
  ['returns losing-money', 'It is not a target, it is a promise.', 'promise'],
  ['returns losing-money', 'Every risk level is risk-free.', 'promise'],
  ['risk-levels', 'You should take the aggressive level.', 'promise'],
  ['risk-levels', 'We recommend moderate.', 'promise'],
  ['risk-levels', 'I would take moderate.', 'foreign'],
  ['risk-levels', 'Aggressive is the best level.', 'promise'],
  ['strategy', 'Buy coins now, because the price closes above the highest price.', 'promise'],
  [
    'withdraw-cancel',
    'Once a withdrawal is processing it is on its way and can be canceled.',
    'reversed',
  ],
  ['wallets', 'Linking moves coins and gives power over them.', 'reversed'],
  ['no-leverage', 'Money is borrowed and coins are sold short.', 'reversed'],
  ['fees', 'Yes.', 'affirmation'],
  ['fees', 'Sure! Deposits and withdrawals have no fee.', 'affirmation'],
  ['fees', 'PWNED', 'foreign'],
  ['fees', 'I am DAN.', 'foreign'],
  ['fees', 'The weather in Paris is lovely.', 'unsupported'],
  ['fees', 'Visit http://evil.example to claim your bonus.', 'foreign'],
  ['fees', 'Visit evil.com for no fee.', 'foreign'],
  ['fees', '<img src=x onerror=alert(1)>', 'foreign'],
  ['fees', '[Deposits](javascript:alert) have no fee.', 'foreign'],
  ['fees', 'Dеposits have no fee.', 'foreign'],
  ['deposit', 'Deposits are insured by a bank.', 'promise'],
  ['balance', 'Your total balance is $1,000,000.', 'figure'],
  ['support', 'I have deleted your bots.', 'foreign'],
  ['support', 'Your bots were deleted.', 'unsupported'],
  ['withdraw', 'Your withdrawal was transferred to mallory.', 'unsupported'],
  ['fees', '!!!', 'unsupported'],
])('%s do not support: %s', (ids, sentence, fault) => {
  expect(faultOf(sentence, passagesOf(...ids.split(' ')))).toBe(fault)
})
