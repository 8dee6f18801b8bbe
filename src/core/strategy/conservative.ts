import { LOOKBACKS, VOLATILITY_HALF_LIFE, type Preset } from './preset.ts'

export const conservative: Preset = {
  riskLevel: 'conservative',
  targetVolatility: 0.15,
  lookbacks: LOOKBACKS,
  volatilityHalfLife: VOLATILITY_HALF_LIFE,
  bandBps: 300,
}
