import type { Call } from '../service.ts'
import { profileArn } from './instance-profiles.ts'
import { iamModel } from './service.ts'
import { type IamSettings, rulesOf } from './settings.ts'
import { emptyState, keyOf } from './state.ts'

export interface UsableProfile {
  readonly arn: string
  /** `AIPA…` */
  readonly id: string
  /** True if the profile has a role. */
  readonly hasRole: boolean
}

/**
 * Returns a function by which another service finds an instance profile by name or ARN. It returns undefined if the
 * profile is not in the caller's account or is too new to be visible outside IAM; EC2 then returns
 * InvalidParameterValue.
 *
 * @example createEc2({ instanceProfile: profileFinder(settings.iam) })
 */
export const profileFinder = (settings: IamSettings = {}) => {
  const { durations } = rulesOf(settings)
  return (
    {
      stateOf,
      clock,
      principal,
      endpoint,
    }: Pick<Call<object>, 'stateOf' | 'clock' | 'principal' | 'endpoint'>,
    wanted: { readonly name: string } | { readonly arn: string },
  ): UsableProfile | undefined => {
    const { profiles } = stateOf({ model: iamModel, scope: 'global', createState: emptyState })
    const name = 'name' in wanted ? wanted.name : wanted.arn.slice(wanted.arn.lastIndexOf('/') + 1)
    const profile = profiles[keyOf(name)]
    if (!profile) return undefined
    const delay = endpoint?.delay(profile.name, profile.createdAt) ?? 0
    if (clock.now() < profile.createdAt + Math.max(durations.profileUsable, delay)) return undefined
    const arn = profileArn(principal.accountId, profile)
    if ('arn' in wanted && wanted.arn !== arn) return undefined
    return { arn, id: profile.id, hasRole: profile.role !== undefined }
  }
}
