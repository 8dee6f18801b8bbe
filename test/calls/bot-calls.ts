/** Calls about one bot, whose id is in the path. */
export const BOT_CALLS = [
  'updateBot',
  'deleteBot',
  'topUpBot',
  'takeOutOfBot',
  'setPlan',
  'endPlan',
  'getBotPerformance',
  'compareBot',
  'listBotTrades',
  'simulateBot',
] as const
