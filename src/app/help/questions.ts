/** Short answers to what people ask first. They promise nothing that the product does not do. */
export const QUESTIONS: readonly { question: string; answer: string }[] = [
  {
    question: 'What do the bots do?',
    answer:
      'Each bot follows the trend of the pairs you choose, up to the risk you choose. It buys when a price rises above its ' +
      'recent highs and sells when it falls back. Every trade shows the reason that caused it.',
  },
  {
    question: 'Can I lose money?',
    answer:
      'Yes. Every level can lose money, and more risk means deeper falls. The returns named for each level are targets, not ' +
      'promises.',
  },
  {
    question: 'What does it cost?',
    answer:
      'Trading fees on each trade, and our share of realised profit above the best result of the bot so far. A bot below ' +
      'that mark pays us nothing. Deposits and withdrawals have no fee.',
  },
  {
    question: 'What is paper money?',
    answer:
      'A dashed stamp marks every screen on which no real money is at stake. Paper money buys and sells at simulated or ' +
      'recorded prices and can never leave as real money.',
  },
  {
    question: 'How do I deposit?',
    answer: 'Open Deposit on Home, choose an amount and pay by card. The money is there at once. Your card details are not stored.',
  },
  {
    question: 'How do I withdraw?',
    answer:
      'Open Withdraw on Home, add a bank account, choose an amount and confirm. It takes 1-3 business days; you can cancel ' +
      'until it is sent. Money inside a bot must first be freed by deleting the bot.',
  },
  {
    question: 'What happens when I delete or pause a bot?',
    answer:
      'A paused bot keeps what it holds and stops trading. A deleted bot sells what it holds at the market, pays what is ' +
      'due and returns the rest to your balance.',
  },
  {
    question: 'What does simulating a trade do?',
    answer:
      'It replays the rules of the bot over the last 30 days, all costs included. No money moves, and the past says nothing ' +
      'sure about the future.',
  },
]
