import type fc from 'fast-check'
import type { Aws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../../shared/runtime/runtime.ts'
import type { Json } from '../json.ts'

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
  readonly configurations: fc.Arbitrary<Configuration>
  /** Returns the configuration with what no change can reach: immutable fields of `first`, the first of the walk. */
  readonly held?: (configuration: Configuration, first: Configuration) => Configuration
  /** The objects of a configuration: the function's own is the last one. */
  readonly objects: (configuration: Configuration) => readonly KubernetesObject[]
  /** Settings of the function that differ from the defaults. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The content of a new account. Absent: the function has no cloud. */
  readonly prepare?: (aws: Aws) => void
  /** Ways in which a configuration fails that is itself right. By name. */
  readonly troubles?: Readonly<Record<string, Trouble>>
}

/** A temporary failure around a configuration. */
export interface Trouble {
  /** Changes the objects: a Secret without a key. */
  readonly objects?: (objects: readonly KubernetesObject[]) => readonly KubernetesObject[]
  /** Changes the cloud. Returns a function that ends it. */
  readonly cloud?: (aws: Aws) => () => void
}
