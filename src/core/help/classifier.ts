export type Features = ReadonlyMap<string, number>
export type Example = { features: Features; label: string }

/** `labels`: in the order of the probabilities. */
export type Classifier = {
  labels: readonly string[]
  classify: (features: Features) => Float32Array
}

const ROUNDS = 3
const FIRST_RATE = 6
/** Factor by which the learning rate falls in each round. */
const DECAY = 0.4
/** Smaller errors are skipped. Most labels have such an error, so this saves most of the time. */
const NEGLIGIBLE = 0.02

const EXAMPLES_A_PART = 200

type Vector = { places: Int32Array; weights: Float32Array }

/**
 * Multinomial logistic regression by stochastic gradient descent, in a fixed order of examples, so
 * that the result is reproducible. Yields regularly, so that other work can run.
 */
export function* trainClassifier(examples: readonly Example[]): Generator<void, Classifier> {
  const labels = [...new Set(examples.map(({ label }) => label))]
  const { size, vectorOf } = countFeatures(examples)
  const weights = new Float32Array(size * labels.length)
  const probabilitiesOf = (vector: Vector) =>
    softmax(sumsOf(vector, { weights, count: labels.length }))
  const vectors = examples.map(({ features }) => vectorOf(features))
  const places = new Map(labels.map((label, place) => [label, place]))
  const targets = examples.map(({ label }) => places.get(label) ?? 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = FIRST_RATE / (1 + DECAY * round)
    for (const [turn, place] of orderOf(examples.length, round).entries()) {
      if (turn % EXAMPLES_A_PART === 0) yield
      const vector = vectors[place]
      if (!vector) continue
      const errors = probabilitiesOf(vector)
      const target = targets[place] ?? 0
      errors[target] = (errors[target] ?? 0) - 1
      learn(vector, { weights, errors, rate })
    }
  }
  return { labels, classify: (features) => probabilitiesOf(vectorOf(features)) }
}

/** Weights features by rarity and scales vectors to length 1. */
function countFeatures(examples: readonly Example[]): {
  size: number
  vectorOf: (features: Features) => Vector
} {
  const numbers = new Map<string, number>()
  const counts: number[] = []
  for (const { features } of examples) {
    for (const feature of features.keys()) {
      const number = numbers.get(feature) ?? numbers.size
      numbers.set(feature, number)
      counts[number] = (counts[number] ?? 0) + 1
    }
  }
  const vectorOf = (features: Features): Vector => {
    const places: number[] = []
    const weights: number[] = []
    let squares = 0
    for (const [feature, own] of features) {
      const number = numbers.get(feature)
      if (number === undefined) continue
      const weight = own * Math.log(1 + examples.length / (counts[number] ?? 1))
      places.push(number)
      weights.push(weight)
      squares += weight * weight
    }
    const length = Math.sqrt(squares) || 1
    return {
      places: Int32Array.from(places),
      weights: Float32Array.from(weights, (weight) => weight / length),
    }
  }
  return { size: numbers.size, vectorOf }
}

function sumsOf(
  { places, weights: own }: Vector,
  { weights, count }: { weights: Float32Array; count: number },
): Float32Array {
  const sums = new Float32Array(count)
  for (let at = 0; at < places.length; at += 1) {
    const start = (places[at] ?? 0) * count
    const weight = own[at] ?? 0
    for (let label = 0; label < count; label += 1)
      sums[label] = (sums[label] ?? 0) + (weights[start + label] ?? 0) * weight
  }
  return sums
}

function learn(
  { places, weights: own }: Vector,
  { weights, errors, rate }: { weights: Float32Array; errors: Float32Array; rate: number },
): void {
  const wrong: number[] = []
  for (let label = 0; label < errors.length; label += 1)
    if (Math.abs(errors[label] ?? 0) > NEGLIGIBLE) wrong.push(label)
  for (let at = 0; at < places.length; at += 1) {
    const start = (places[at] ?? 0) * errors.length
    const step = (own[at] ?? 0) * rate
    for (const label of wrong)
      weights[start + label] = (weights[start + label] ?? 0) - step * (errors[label] ?? 0)
  }
}

/** Works in place and with plain loops for speed: it runs for every example of every round. */
function softmax(sums: Float32Array): Float32Array {
  let largest = -Infinity
  for (const sum of sums) largest = Math.max(largest, sum)
  let total = 0
  for (let label = 0; label < sums.length; label += 1) {
    const power = Math.exp((sums[label] ?? 0) - largest)
    sums[label] = power
    total += power
  }
  for (let label = 0; label < sums.length; label += 1) sums[label] = (sums[label] ?? 0) / total
  return sums
}

/** A pseudorandom order, different each round: steps whose length is coprime to `count`. */
function orderOf(count: number, round: number): number[] {
  const steps = [7_919, 6_007, 4_999]
  const step = steps[round % steps.length] ?? 1
  return Array.from(
    { length: count },
    (_, turn) => (turn * (count % step === 0 ? 1 : step) + round) % count,
  )
}
