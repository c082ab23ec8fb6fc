import type { Call } from '../service.ts'
import { profileArn } from './instance-profiles.ts'
import { iamModel } from './service.ts'
import { type IamSettings, rulesOf } from './settings.ts'
import { emptyState, keyOf } from './state.ts'

export interface UsableProfile {
  readonly arn: string
  /** `AIPA…` */
  readonly id: string
  /** Whether a role is in it. */
  readonly hasRole: boolean
}

/**
 * How another service finds an instance profile by its name or its ARN: undefined if there is none in the
 * caller's account, or if it is too new to be known outside of IAM. EC2 then answers InvalidParameterValue.
 *
 * @example
 * createEc2({ instanceProfile: profileFinder(settings.iam) })
 */
export const profileFinder = (settings: IamSettings = {}) => {
  const { durations } = rulesOf(settings)
  return (
    { stateOf, clock, principal }: Pick<Call<object>, 'stateOf' | 'clock' | 'principal'>,
    wanted: { readonly name: string } | { readonly arn: string },
  ): UsableProfile | undefined => {
    const { profiles } = stateOf({ model: iamModel, scope: 'global', createState: emptyState })
    const name = 'name' in wanted ? wanted.name : wanted.arn.slice(wanted.arn.lastIndexOf('/') + 1)
    const profile = profiles[keyOf(name)]
    if (!profile || clock.now() < profile.createdAt + durations.profileUsable) return undefined
    const arn = profileArn(principal.accountId, profile)
    if ('arn' in wanted && wanted.arn !== arn) return undefined
    return { arn, id: profile.id, hasRole: profile.role !== undefined }
  }
}
