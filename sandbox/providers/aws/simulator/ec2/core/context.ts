import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import type { Call } from '../../service.ts'
import type { ImageToAdd } from '../images/image-to-add.ts'
import type { Ec2Resource, Ec2Tag } from '../rows/resource.ts'
import { durationsOf, type Ec2DurationSettings, type Ec2Durations } from './durations.ts'
import type { Limits } from './limits.ts'
import type { Ec2State } from './state.ts'
import { type Tables, tablesOf } from './tables/tables.ts'

/** An instance profile as IAM knows it. */
export interface ProfileOfIam {
  readonly arn: string
  readonly id: string
  readonly hasRole: boolean
}

export type ProfileReference = { readonly name: string } | { readonly arn: string }

/** The call that EC2 asks on behalf of, as far as another service needs to know it. */
export type Asking = Pick<Call<object>, 'principal' | 'clock' | 'stateOf'>

/** Finds an instance profile by name or ARN; undefined if there is none. */
export type ProfileFinder = (call: Asking, wanted: ProfileReference) => ProfileOfIam | undefined

export interface Ec2Settings {
  readonly durations?: Ec2DurationSettings
  /** By default nothing is limited; `newAccountLimits` are those of a new account. */
  readonly limits?: Limits
  /** Whether a region starts with AWS's default VPC and its subnets. Default true. */
  readonly defaultVpc?: boolean
  /**
   * How long a new resource is unknown to other calls, and how long a change or a deletion is not seen by those
   * that describe, in ms ("Eventual consistency in the Amazon EC2 API"). Default 0.
   */
  readonly visibleAfter?: number
  /** By default every profile exists, and has a role. */
  readonly instanceProfile?: ProfileFinder
  /** Images that every region has beside AWS's public ones. */
  readonly images?: readonly ImageToAdd[]
}

export interface ResolvedSettings {
  readonly durations: Ec2Durations
  readonly limits: Limits
  readonly defaultVpc: boolean
  readonly visibleAfter: number
  readonly instanceProfile: ProfileFinder | undefined
  readonly images: readonly ImageToAdd[]
}

export const resolveSettings = (settings: Ec2Settings): ResolvedSettings => ({
  durations: durationsOf(settings.durations),
  limits: settings.limits ?? {},
  defaultVpc: settings.defaultVpc ?? true,
  visibleAfter: settings.visibleAfter ?? 0,
  instanceProfile: settings.instanceProfile,
  images: settings.images ?? [],
})

/** EC2 of one account in one region at one instant: what every operation works with. */
export interface Ec2 {
  readonly state: Ec2State
  readonly tables: Tables
  readonly now: Timestamp
  readonly accountId: string
  readonly region: string
  readonly durations: Ec2Durations
  readonly limits: Limits
  readonly visibleAfter: number
  /** `newId('vpc')`: `vpc-0a1b2c3d4e5f60718`. */
  newId(prefix: string): string
  /** What every new resource has. */
  newResource(prefix: string, tags: readonly Ec2Tag[]): Ec2Resource
  arn(type: string, id: string): string
  instanceProfile(wanted: ProfileReference): ProfileOfIam | undefined
}

/** Of whom and where. */
export type Ec2Scope = Pick<Call<Ec2State>, 'state' | 'region' | 'clock' | 'newId'> & {
  readonly accountId: string
  readonly instanceProfile?: Ec2['instanceProfile']
}

export const createContext = (scope: Ec2Scope, settings: ResolvedSettings): Ec2 => {
  const { state, region, accountId } = scope
  const now = scope.clock.now()
  const tables = tablesOf(state)
  for (const table of Object.values(tables)) {
    table.sweep(now)
    table.commit()
  }
  // By a join: V8 keeps both parts of a text that is put together, and accounts are full of these.
  const newId = (prefix: string) => [prefix, scope.newId(17, '0123456789abcdef')].join('-')
  return {
    state,
    tables,
    now,
    accountId,
    region,
    durations: settings.durations,
    limits: settings.limits,
    visibleAfter: settings.visibleAfter,
    newId,
    newResource: (prefix, tags) => {
      state.sequence += 1
      return { id: newId(prefix), sequence: state.sequence, createdAt: now, tags }
    },
    arn: (type, id) => `arn:aws:ec2:${region}:${accountId}:${type}/${id}`,
    instanceProfile:
      scope.instanceProfile ??
      (wanted => ({
        arn: 'arn' in wanted ? wanted.arn : `arn:aws:iam::${accountId}:instance-profile/${wanted.name}`,
        id: 'AIPATRELLIS0000000000',
        hasRole: true,
      })),
  }
}
