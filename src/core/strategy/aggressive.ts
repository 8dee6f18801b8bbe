import { LOOKBACKS, VOLATILITY_HALF_LIFE, type Preset } from './preset.ts'

export const aggressive: Preset = {
  riskLevel: 'aggressive',
  targetVolatility: 0.8,
  lookbacks: LOOKBACKS,
  volatilityHalfLife: VOLATILITY_HALF_LIFE,
  bandBps: 1_200,
}
