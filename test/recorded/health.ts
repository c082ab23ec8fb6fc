import { readFileSync } from 'node:fs'
import { besidePath } from '../beside/beside.ts'

/** Returns the conditions of the Go extension in a situation, without times. */
export const recordedConditions = (situation: string): readonly object[] => {
  const { situations } = JSON.parse(readFileSync(besidePath('golden', 'health.json'), 'utf8'))
  const found = situations[situation]
  if (!Array.isArray(found)) throw new Error(`there is no situation ${situation}`)
  return found
}

/** Returns all situations with recorded conditions. */
export const recordedSituations = (): readonly string[] => {
  const { situations } = JSON.parse(readFileSync(besidePath('golden', 'health.json'), 'utf8'))
  return Object.entries(situations).flatMap(([name, found]) =>
    Array.isArray(found) && typeof found[0] === 'object' ? [name] : [],
  )
}
