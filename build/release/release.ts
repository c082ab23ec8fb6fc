/** A version: built from a clean commit, pushed to a registry, and signed. */

export { releaseImages } from './artifacts/release-images.ts'
export { makeRelease } from './make-release.ts'
export { cosignAt, findCosign } from './signatures/cosign.ts'
