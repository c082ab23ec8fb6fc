import type { WireError } from '../codec/wire-error.ts'
import type { MovableClock } from '../movable-clock.ts'
import { ServiceError } from '../service.ts'
import type { Fault } from './fault.ts'

/** Closes the connection without a response. */
export class DroppedConnection extends Error {
  constructor() {
    super('a fault on order drops the connection')
    this.name = 'DroppedConnection'
  }
}

/** Errors in the words of the service. */
export interface FaultWords {
  throttled(): WireError
  denied(): WireError
}

/** Returns the ids of the resources that a call does not see. Undefined if there is no such fault. */
export const hiddenRows = (faults: readonly Fault[]): ReadonlySet<string> | 'all' | undefined => {
  const hidden = faults.flatMap(({ effect }) => (effect.kind === 'not-found' ? [effect.id] : []))
  if (hidden.length === 0) return undefined
  const ids = hidden.filter(id => id !== undefined)
  return ids.length < hidden.length ? 'all' : new Set(ids)
}

/**
 * Applies the faults of this moment to a call.
 *
 * @throws AwsError, DroppedConnection, or the signal's reason if the caller aborts during a delay
 */
export const inflict = async (
  faults: readonly Fault[],
  when: Fault['when'],
  words: FaultWords,
  clock: MovableClock,
  signal: AbortSignal | undefined,
): Promise<void> => {
  for (const { effect } of faults.filter(fault => fault.when === when)) {
    switch (effect.kind) {
      case 'delay':
        await clock.sleep(effect.milliseconds, signal)
        break
      case 'clock-jump':
        clock.jump(effect.milliseconds)
        break
      case 'drop':
        throw new DroppedConnection()
      case 'throttle':
        throw new ServiceError(words.throttled())
      case 'denied':
        throw new ServiceError(words.denied())
      // Applies while the operation runs.
      case 'not-found':
        break
      case 'error': {
        const { code, message, status } = effect
        throw new ServiceError({ code, message, ...(status === undefined ? {} : { status }) })
      }
    }
  }
}
