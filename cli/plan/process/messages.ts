import type {
  GroupVersionResource,
  KubernetesObject,
  ListOptions,
  ObjectKey,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import type { GivenSurroundings, PlannedByFunction } from '../planner.ts'
import type { Failure } from './failure.ts'

/** The argument of the process, as JSON. */
export interface PlanProcessInput {
  /** The folders of `--function`. */
  readonly folders: readonly string[]
  readonly network: AllowedNetwork
}

export interface PlannedFunction
  extends Pick<FunctionDefinition, 'name' | 'kind' | 'types' | 'classes' | 'permissions' | 'ignoresSecret'> {
  /** The environment variables of its settings. */
  readonly env: readonly string[]
}

export interface PlanRequest extends Pick<GivenSurroundings, 'secret' | 'cluster' | 'env' | 'destroy'> {
  /** The index in the list of functions. */
  readonly index: number
  readonly object: KubernetesObject
}

export type ToProcess =
  | ({ readonly kind: 'plan'; readonly id: number } & PlanRequest)
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly failure: Failure }

export type FromProcess =
  | { readonly kind: 'functions'; readonly functions: readonly PlannedFunction[] }
  | { readonly kind: 'unusable'; readonly failure: Failure }
  | { readonly kind: 'planned'; readonly id: number; readonly plan: PlannedByFunction }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'read'; readonly id: number; readonly read: SourceRead }

/** A read from the API server or from the given files. */
export type SourceRead =
  | { readonly verb: 'get'; readonly resource: GroupVersionResource; readonly key: ObjectKey }
  | {
      readonly verb: 'list'
      readonly resource: GroupVersionResource
      readonly options: Omit<ListOptions, 'signal'>
    }
