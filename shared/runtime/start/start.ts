/** How the process of a function starts, and what a startup snapshot does in advance. */
export { sampleNamespace, sampleSeed } from './sample-object.ts'
export { warmUp } from './warm-up.ts'
