/** The parts of admission in the garden that are the same for every provider: profiles, and the resources of lookups. */

export { isAbsent, type JsonObject, withAt } from './json.ts'
export { withMergedStatus } from './merge-images.ts'
export {
  findCloudProfile,
  findProfile,
  type ParsedProfile,
  type ProfileSpec,
  parseProfile,
  providerConfigIn,
  type SpecImage,
  type SpecVersion,
  versionsOf,
} from './profile.ts'
export { garden, isName } from './resources.ts'
