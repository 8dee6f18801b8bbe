/** An address of the screen at `path`: of the market of BTC, or of the bot with this id. */
export function addressOf(path: string, botId: string): string {
  return path.replace('/market/:id', '/market/BTC-USD').replace(':id', botId)
}
