import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import type { Call } from '../../service.ts'
import type { ImageToAdd } from '../images/image-to-add.ts'
import type { Ec2Resource, Ec2Tag } from '../rows/resource.ts'
import { durationsOf, type Ec2DurationSettings, type Ec2Durations } from './durations.ts'
import type { Limits } from './limits.ts'
import type { Ec2State } from './state.ts'
import { type Tables, tablesOf } from './tables/tables.ts'

/** An instance profile as IAM returns it. */
export interface ProfileOfIam {
  readonly arn: string
  readonly id: string
  readonly hasRole: boolean
}

export type ProfileReference = { readonly name: string } | { readonly arn: string }

/** The part of EC2's call that another service needs. */
export type Asking = Pick<Call<object>, 'principal' | 'clock' | 'stateOf' | 'endpoint'>

/** Finds an instance profile by name or ARN. Returns undefined if it does not exist. */
export type ProfileFinder = (call: Asking, wanted: ProfileReference) => ProfileOfIam | undefined

export interface Ec2Settings {
  readonly durations?: Ec2DurationSettings
  /** Default: no limits. `newAccountLimits` are those of a new account. */
  readonly limits?: Limits
  /** Creates AWS's default VPC and its subnets in each region. Default: true. */
  readonly defaultVpc?: boolean
  /**
   * The time in ms until other calls see a new resource, and until describing calls see a change or deletion ("Eventual
   * consistency in the Amazon EC2 API"). Default: 0.
   */
  readonly visibleAfter?: number
  /** Default: every profile exists and has a role. */
  readonly instanceProfile?: ProfileFinder
  /** Images that every region has in addition to AWS's public ones. */
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

/** EC2 of one account in one region at one instant. Every operation works with it. */
export interface Ec2 {
  readonly state: Ec2State
  readonly tables: Tables
  readonly now: Timestamp
  readonly accountId: string
  readonly region: string
  readonly durations: Ec2Durations
  readonly limits: Limits
  /** Returns the time in ms until the call sees a write to a row. */
  delay(id: string, at: Timestamp): number
  /** False if the call sees all writes. */
  readonly isLate: boolean
  /** The time in ms for which the rows before a write are kept. */
  readonly remembers: number
  /** Returns a new id: `newId('vpc')` returns `vpc-0a1b2c3d4e5f60718`. */
  newId(prefix: string): string
  /** Returns the fields that every new resource has. */
  newResource(prefix: string, tags: readonly Ec2Tag[]): Ec2Resource
  arn(type: string, id: string): string
  instanceProfile(wanted: ProfileReference): ProfileOfIam | undefined
}

/** The account, the region and the state. */
export type Ec2Scope = Pick<Call<Ec2State>, 'state' | 'region' | 'clock' | 'newId' | 'endpoint'> & {
  readonly accountId: string
  readonly instanceProfile?: Ec2['instanceProfile']
}

export const createContext = (scope: Ec2Scope, settings: ResolvedSettings): Ec2 => {
  const { state, region, accountId, endpoint } = scope
  const { visibleAfter } = settings
  const now = scope.clock.now()
  const tables = tablesOf(state)
  for (const table of Object.values(tables)) {
    table.sweep(now)
    table.commit()
  }
  // `join` saves memory: V8 retains both parts of a concatenated string, and accounts hold many ids.
  const newId = (prefix: string) => [prefix, scope.newId(17, '0123456789abcdef')].join('-')
  return {
    state,
    tables,
    now,
    accountId,
    region,
    durations: settings.durations,
    limits: settings.limits,
    isLate: visibleAfter > 0 || endpoint !== undefined,
    delay: (id, at) => Math.max(visibleAfter, endpoint?.delay(id, at) ?? 0),
    remembers: Math.max(visibleAfter, endpoint?.remembers ?? 0),
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
