import type { SimulatedProcess } from './simulated-process.ts'

/** Returns the `connection` of a function in a process, whose calls are exchanges of the process. */
export type ConnectProcess = (process: SimulatedProcess) => unknown
