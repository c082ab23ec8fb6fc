import { parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { parseStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import { type CheckedSeed, objectsOf } from './checked-seed.ts'

/**
 * Returns the time at which a function has last worked on an object, from the statuses of the objects that it serves. A
 * function that shares its Service has the name of the function, not of the Service.
 */
export const lastStepOf = (name: string, seed: CheckedSeed): Timestamp | undefined => {
  const definition = seed.functions.find(one => one.name === name)
  if (definition === undefined) return undefined
  const times = objectsOf(seed, definition.kind)
    .filter(({ spec }) => definition.types.includes(stringOf(recordOf(spec).type)))
    .filter(({ metadata }) => parseStepAnnotation(metadata.annotations?.[annotations.step]) !== undefined)
    .map(({ status }) => parseTimestamp(stringOf(recordOf(recordOf(status).lastOperation).lastUpdateTime)))
    .filter(time => time !== undefined)
  return times.length === 0 ? undefined : Math.max(...times)
}
