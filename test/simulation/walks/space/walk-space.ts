import type fc from 'fast-check'
import type { AccountSnapshot } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import type { RequestHooks } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import type { Kubernetes, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../../shared/runtime/runtime.ts'
import type { Json } from '../json.ts'
import type { WalkCloud } from '../world/walk-cloud.ts'

/** A configuration: the `spec` of the object, and what its objects beside it depend on. */
export interface Configuration {
  readonly spec: { readonly [field: string]: Json }
  readonly [part: string]: Json
}

/** All configurations of one kind with one provider. */
export interface WalkSpace {
  /** `aws/dnsrecord`: the folder of its function. */
  readonly name: string
  load(): Promise<LoadedSpace>
}

export interface LoadedSpace {
  readonly definition: FunctionDefinition
  /** The namespace of a shoot whose API server the function calls. Default: there is none. */
  readonly shoot?: string
  /** Imitates other processes of the seed that take part in a step. */
  readonly others?: (kubernetes: Kubernetes) => RequestHooks
  /** Settings of the function that differ from the defaults. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The configurations of one shoot. Immutable fields are chosen first. */
  readonly shoots: fc.Arbitrary<fc.Arbitrary<Configuration>>
  /** The objects of a configuration: the function's own is the last one. */
  readonly objects: (configuration: Configuration) => readonly KubernetesObject[]
  /**
   * The answer of the garden to a change: `refused` by the admission of the extension, which may be absent, or
   * `impossible` by the API server. Default, or undefined: a configuration is admitted if it succeeds.
   */
  readonly admission?: (
    before: Configuration | undefined,
    after: Configuration,
  ) => 'admitted' | 'refused' | 'impossible' | undefined
  /** The content of the account before the first step. Default: empty. */
  readonly account?: AccountSnapshot
  /** Ways in which a configuration fails that is itself right. By name. */
  readonly troubles?: Readonly<Record<string, Trouble>>
}

/** A temporary failure around a configuration. */
export interface Trouble {
  /** Changes the objects: a Secret without a key. */
  readonly objects?: (objects: readonly KubernetesObject[]) => readonly KubernetesObject[]
  /** Changes the cloud. Returns a function that ends it. */
  readonly cloud?: (cloud: WalkCloud['simulated']) => () => void
}
