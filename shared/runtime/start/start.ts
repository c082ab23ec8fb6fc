/** How the process of a function starts, and what of it can be done before: in a startup snapshot. */
export { startProcess } from './start-process.ts'
export { warmUp } from './warm-up.ts'
