import { LOOKBACKS, VOLATILITY_HALF_LIFE, type Preset } from './preset.ts'

export const moderate: Preset = {
  riskLevel: 'moderate',
  targetVolatility: 0.35,
  lookbacks: LOOKBACKS,
  volatilityHalfLife: VOLATILITY_HALF_LIFE,
  bandBps: 700,
}
