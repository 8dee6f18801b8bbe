/** Fills the `:id` of a screen's path: for a market with BTC-USD, else with the bot's id. */
export function addressOf(path: string, botId: string): string {
  return path.replace('/market/:id', '/market/BTC-USD').replace(':id', botId)
}
