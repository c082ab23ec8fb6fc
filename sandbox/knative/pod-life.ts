import type { Clock } from '../../shared/clock/clock.ts'

/** Without its storage, a program ends after this time, in ms; one that starts without it a little earlier. */
const endsAfterMs = 7_000
const startsForMs = 6_000
/** The kubelet's waits before it starts a container again, in ms. */
const firstRestartMs = 10_000
const longestRestartMs = 300_000

/** Programs that cannot live without their storage, as the kubelet runs them. */
export interface PodLife {
  storage(isUp: boolean): void
  close(): void
}

/** Creates running programs. `changed` is called when they end, and when they run again. */
export const createPodLife = (clock: Clock, changed: (isRunning: boolean) => void): PodLife => {
  let isUp = true
  let restarts = 0
  let state: 'running' | 'losing' | 'ended' = 'running'
  let disarm = () => {}

  const end = () => {
    if (isUp) {
      state = 'running'
      return
    }
    if (state === 'losing') changed(false)
    state = 'ended'
    disarm = clock.after(Math.min(firstRestartMs * 2 ** restarts++, longestRestartMs), start)
  }

  const start = () => {
    if (isUp) {
      state = 'running'
      changed(true)
    } else {
      disarm = clock.after(startsForMs, end)
    }
  }

  return {
    storage: up => {
      isUp = up
      if (up || state !== 'running') return
      state = 'losing'
      disarm = clock.after(endsAfterMs, end)
    },
    close: () => disarm(),
  }
}
