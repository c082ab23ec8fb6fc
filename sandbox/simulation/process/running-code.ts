import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunningCode } from './process.ts'

/** The code that is running. Undefined: people, Gardener's controllers, or the simulation itself. */
export const runningCode = new AsyncLocalStorage<RunningCode>()
