/** From sources to images: what other rooms know of bundles and of the images made from them. */
export { type BundleOptions, type BundleSource, bundle } from './bundle/bundle.ts'
export {
  compactName,
  compactProgram,
  findPrograms,
  functionProgram,
  type Program,
  webhookProgram,
} from './bundle/programs.ts'
export { mainFile, writeBundles } from './bundle/write-bundles.ts'
export { snapshotArgs, snapshotFile, writeSnapshot } from './bundle/write-snapshot.ts'
export { nodeFlagsOf } from './node-flags.ts'
