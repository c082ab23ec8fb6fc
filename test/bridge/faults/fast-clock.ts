import { type Clock, systemClock, virtualClock } from '../../../shared/clock/clock.ts'

export interface FastClock extends Clock {
  stop(): void
}

/** Between two turns of the event loop, in ms of real time at least. */
const intervalMs = 10

/**
 * A clock that starts at the present and goes `factor` times as fast: limits of minutes act within seconds. It goes on
 * by turns of the event loop. While the process is held up it stands still, so that an answer that has arrived is read
 * before a limit ends that it has met.
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
