import { besideFolder } from './beside.ts'
import { missingIn } from './missing.ts'

/**
 * Vitest's global set-up. Reports once which comparisons are skipped because their data is not beside the repository.
 * In CI, where the folder exists, all files are required.
 */
export const setup = (): void => {
  const { skipped, lost } = missingIn(besideFolder)
  if (process.env.CI === 'true' && lost.length > 0) {
    throw new Error(`CI requires what is compared with; of ${besideFolder} is missing: ${lost.join(', ')}`)
  }
  for (const sentence of skipped) console.warn(`SKIPPED: ${sentence}`)
}
