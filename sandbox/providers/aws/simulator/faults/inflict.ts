import type { MovableClock } from '../movable-clock.ts'
import { type Refusals, ServiceError } from '../service.ts'
import type { Fault } from './fault.ts'

/** Closes the connection without a response. */
export class DroppedConnection extends Error {
  constructor() {
    super('a fault on order drops the connection')
    this.name = 'DroppedConnection'
  }
}

/**
 * Applies the faults of this moment to a call.
 *
 * @throws AwsError, DroppedConnection, or the signal's reason if the caller aborts during a delay
 */
export const inflict = async (
  faults: readonly Fault[],
  when: Fault['when'],
  refusals: Refusals,
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
        throw new ServiceError(refusals.throttled())
      case 'error': {
        const { code, message, status } = effect
        throw new ServiceError({ code, message, ...(status === undefined ? {} : { status }) })
      }
    }
  }
}
