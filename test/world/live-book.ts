/** Settings with which a live book starts, beside the session secret and the database. */
export const LIVE_BOOK = {
  BOOK: 'live',
  PUBLIC_URL: 'https://bots.example',
  MARKET_FEED: 'auto',
  OPERATOR_LICENCE: 'Licence 1',
  OPERATOR_POOLING: 'acknowledged',
  EXCHANGE_API_KEY: 'key',
  EXCHANGE_API_SECRET: 'c2VjcmV0',
}
