import { readStored } from './stored.ts'

const situationsIn = (): Readonly<Record<string, unknown>> => Object(readStored('health.json')).situations

/** Returns the conditions of the Go extension in a situation, without times. */
export const recordedConditions = (situation: string): readonly object[] => {
  const found = situationsIn()[situation]
  if (!Array.isArray(found)) throw new Error(`there is no situation ${situation}`)
  return found
}

/** Returns all situations with recorded conditions. */
export const recordedSituations = (): readonly string[] =>
  Object.entries(situationsIn()).flatMap(([name, found]) =>
    Array.isArray(found) && typeof found[0] === 'object' ? [name] : [],
  )
