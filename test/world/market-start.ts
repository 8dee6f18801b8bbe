/**
 * The simulated market of tests begins here: its prices differ from date to date, and a test should
 * not.
 */
export const MARKET_START = '2025-01-01T00:00:00Z'
