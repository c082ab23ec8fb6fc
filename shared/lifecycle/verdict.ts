import type { Clock } from '../clock/clock.ts'
import type { Backend } from './backend.ts'
import type { DueWork } from './due-work.ts'
import { type Facts, stepUntil } from './facts.ts'
import { recorded, type StepEvent, type StepOutcome } from './step.ts'

/** Class and type filter (contract, lifecycle §3.1). */
export const isFor = (backend: Backend, facts: Facts): boolean =>
  facts.provider === backend.type &&
  (backend.classes ?? ['shoot']).some(extensionClass => extensionClass === facts.extensionClass)

/** A wait is cut short by the event that the bridge sends at its end, whatever this process's clock says. */
export const mayRun = (due: DueWork, facts: Facts, event: StepEvent, clock: Clock): StepOutcome | 'run' => {
  switch (due.kind) {
    case 'none':
      return recorded('nothing-to-do')
    case 'emit':
      return 'run'
    case 'later': {
      if (due.held) {
        const seconds = Math.ceil((stepUntil(facts) - clock.now()) / 1000)
        return { kind: 'busy', retryAfterSeconds: Math.min(Math.max(seconds, 1), 30) }
      }
      const isItsEnd = event.reason === due.reason && due.at - clock.now() <= clockSkewMs
      return isItsEnd || event.reason === 'touched' ? 'run' : recorded('not-due')
    }
  }
}

/** How far the clocks of bridge and function may differ, in ms. */
const clockSkewMs = 2_000
