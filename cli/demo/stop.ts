import type { Sandbox } from '../sandbox/start-sandbox.ts'

/** One stop of the tour: what it shows, what a user would type, and what must be true afterwards. */
export interface Stop {
  readonly title: string
  readonly typed: string
  /** Does it and checks it. What it returns is shown; it throws when anything is off. */
  readonly run: (sandbox: Sandbox, signal: AbortSignal) => Promise<string>
}
