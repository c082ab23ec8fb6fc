import { type Clock, systemClock } from '../../../shared/clock/clock.ts'

/** A clock that starts at the present and goes `factor` times as fast: limits of minutes act within seconds. */
export const fastClock = (factor: number): Clock => {
  const start = systemClock.now()
  const began = performance.now()
  return {
    now: () => start + (performance.now() - began) * factor,
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / factor, signal),
    after: (milliseconds, callback) => systemClock.after(milliseconds / factor, callback),
  }
}
