import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '#core/assert.ts'
import { evidenceOf, type EvidenceInput } from '#core/evidence/evidence.ts'
import { engineVersion } from './engine-version.ts'
import { showEvidence } from './show-evidence.ts'

/** Runs in its own thread, so that no request waits for seconds of computing. Posts the figures, or null if no window fits. */
assert(parentPort, 'the evidence is computed in a thread')
const input: EvidenceInput = workerData
const evidence = evidenceOf(input)
parentPort.postMessage(evidence ? showEvidence(evidence, input, engineVersion()) : null)
