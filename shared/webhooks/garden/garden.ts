/** The parts of admission in the garden that are the same for every provider: profiles and resources of lookups. */

export { capabilityProblems } from './capability-problems.ts'
export { isAbsent, type JsonObject, withAt } from './json.ts'
export {
  findCloudProfile,
  findProfile,
  type ParsedProfile,
  type ProfileSpec,
  parseProfile,
  providerConfigIn,
  readNamespacedProfile,
  readProfile,
  type SpecImage,
  type SpecVersion,
  versionsOf,
} from './profile.ts'
export { garden, isName } from './resources.ts'
export { withMergedStatus } from './with-merged-status.ts'
