import type { DesiredExtensionObject } from '../../../sandbox/gardenlet/gardenlet.ts'
import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import type { UserResources } from '../../../sandbox/providers/aws/simulation/furnish-account.ts'
import type { Random, World } from '../../../sandbox/simulation/simulation.ts'
import type { Home } from './homes.ts'

/** The resources that users have created for their shoots, by account. */
export type GivenByAccount = ReadonlyMap<string, UserResources>

export type Spec = DesiredExtensionObject['spec']

/** Inputs beside the spec that may change: the key in the Secret, and the machine type in the CloudProfile. */
export type Input = 'another key' | 'another account' | 'another machine' | 'no key'

/** An object in a life. */
export interface Part {
  readonly home: Home
  readonly desired: DesiredExtensionObject
  /** Changes of its spec that its user may request at any time. */
  readonly changes: readonly ((spec: Spec, world: World<AwsSide>) => Spec)[]
  /** Changes that no step may see, because others use what they name. Default: `changes`. */
  readonly unseen?: Part['changes']
  readonly canMove: boolean
  readonly canBeForced: boolean
  /** Acts of people and of controllers in the shoot, in its account. */
  readonly accidents: readonly Accident[]
  /** Others need it: it is deleted after them. */
  readonly isLast?: boolean
  /** Texts in calls of its places, such as hosted zones: AWS may refuse those of one of them. */
  readonly places?: readonly string[]
  /** Inputs beside its spec that may change at any time. */
  readonly inputs?: readonly Input[]
  /** Returns what a deletion must not leave, beside what the part has created. */
  readonly left?: (world: World<AwsSide>) => readonly string[]
}

/** Busy: it is deleted or moves. */
export type PartStage = 'absent' | 'present' | 'busy'

/** Returns a function that undoes what functions do not repair. */
export type Accident = (
  world: World<AwsSide>,
  stage: PartStage,
) => Promise<(() => Promise<unknown>) | undefined>

/** Objects that live together. */
export interface Cast {
  readonly name: string
  /** Number of its lives for each one of others, because they are short. Default: 1. */
  readonly often?: number
  /** The functions that work for it. */
  readonly functions: readonly string[]
  readonly from: 'empty' | 'withNetworks'
  /** A time in which most of a creation happens, in ms. */
  readonly spanMs: number
  /** Number of exchanges in a creation. */
  readonly exchanges: number
  /** The actions of its functions, as `ec2:CreateVpc`. */
  readonly actions: readonly string[]
  /** Returns the parts of a life. The source determines them. */
  parts(random: Random, given: GivenByAccount): readonly Part[]
}
