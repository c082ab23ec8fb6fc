import { partOf } from '../../../build/programs/programs.ts'
import {
  type KnativeSeed,
  type KnativeSeedOptions,
  startKnativeSeed,
} from '../../real/knative/life/knative-seed.ts'
import { knativePrograms } from '../../real/programs/knative-programs.ts'
import type { Row } from '../figure.ts'

/** Measures a seed on real Knative. Without its programs, the figures are missing. */
export const withKnative = async (
  title: string,
  options: KnativeSeedOptions,
  measure: (seed: KnativeSeed) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const programs = await partOf(() => knativePrograms(process.env), process.env.CI === 'true')
  if ('missing' in programs) return [{ name: title, missing: programs.missing }]
  const seed = await startKnativeSeed(programs, options)
  try {
    return await measure(seed)
  } finally {
    await seed.close()
  }
}
