import { type Clock, systemClock, virtualClock } from '../../../shared/clock/clock.ts'

export interface FastClock extends Clock {
  stop(): void
}

/** The shortest time between two iterations of the event loop, in milliseconds of real time. */
const intervalMs = 10

/**
 * Returns a clock that starts at the present and runs `factor` times as fast, so that limits of minutes pass within
 * seconds. It advances with the iterations of the event loop. It stops while the process is blocked, so that the
 * process reads an arrived response before the limit ends.
 */
export const fastClock = (factor: number): FastClock => {
  const clock = virtualClock(systemClock.now())
  const controller = new AbortController()
  const run = async () => {
    for (;;) {
      await systemClock.sleep(intervalMs, controller.signal)
      await clock.advance(intervalMs * factor)
    }
  }
  run().catch(() => {})
  return {
    now: clock.now,
    sleep: clock.sleep,
    after: clock.after,
    stop: () => controller.abort(),
  }
}
