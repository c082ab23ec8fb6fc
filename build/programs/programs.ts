/** Third-party programs: built once from pinned versions into a cache of the user, and run. */

export { cacheFolder, fingerprint, madeOnce, retainUsed } from './cache.ts'
export { outputOf, run } from './command.ts'
export { goPrograms } from './go-programs.ts'
export { MissingProgramError, type ProgramPart, partOf } from './part.ts'
