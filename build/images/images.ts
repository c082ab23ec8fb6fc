/** From sources to images: the exports for other rooms about bundles and images. */
export { type BundleOptions, type BundleSource, bundle } from './bundle/bundle.ts'
export {
  compactName,
  compactProgram,
  findPrograms,
  functionProgram,
  type Program,
  webhookProgram,
} from './bundle/programs.ts'
export { mainFile, noticesFile, sbomFile, writeBundles } from './bundle/write-bundles.ts'
export { snapshotArgs, snapshotFile, writeSnapshot } from './bundle/write-snapshot.ts'
export { nodeOfBase } from './layout/node-of-base.ts'
export { findRegctl, type Regctl, regctlAt } from './layout/regctl.ts'
export { type ImageConfig, imageConfig, unpackImage } from './layout/unpack-image.ts'
export { machinePlatform, makeImages } from './make-images.ts'
export { nodeFlags } from './node-flags.ts'
export { imageReferences, pushImages } from './push/push-images.ts'
