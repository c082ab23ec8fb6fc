/** How the process of a function starts, and what of it can be done before: in a startup snapshot. */
export { sampleNamespace, sampleSeed } from './sample-object.ts'
export { warmUp } from './warm-up.ts'
