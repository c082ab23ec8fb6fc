import { AsyncLocalStorage } from 'node:async_hooks'
import type { SimulatedProcess } from './simulated-process.ts'

/** The process whose code is running, for requests that get no process by their arguments. */
export const currentProcess = new AsyncLocalStorage<SimulatedProcess>()
