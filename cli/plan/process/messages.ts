import type { ObjectPlan } from '../../../sandbox/providers/provider.ts'
import type {
  GroupVersionResource,
  KubernetesObject,
  ListOptions,
  ObjectKey,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import type { CloudHttpAnswer, CloudHttpRequest } from '../../../terraform-free-infra/cloud/http-sender.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import type { GivenSurroundings, PlannedByFunction } from '../planner.ts'
import type { Failure } from './failure.ts'

/** The argument of the process, as JSON. */
export interface PlanProcessInput {
  /** The folders of `--function`. */
  readonly folders: readonly string[]
  readonly network: AllowedNetwork
  /**
   * Present: the process also plans the kinds of all clouds, and the command sends its requests to them. It has no
   * network then.
   */
  readonly clouds?: { readonly endpoint?: string }
}

export interface PlannedFunction
  extends Pick<FunctionDefinition, 'name' | 'kind' | 'types' | 'classes' | 'permissions' | 'ignoresSecret'> {
  /** The environment variables of its settings. Undefined: any. */
  readonly env: readonly string[] | undefined
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
  | {
      readonly kind: 'functions'
      readonly functions: readonly PlannedFunction[]
      /** `cloudsProtocol`, if the input has `clouds`. */
      readonly protocol?: number
    }
  | { readonly kind: 'unusable'; readonly failure: Failure }
  | { readonly kind: 'planned'; readonly id: number; readonly plan: PlannedInProcess }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'read'; readonly id: number; readonly plan: number; readonly read: SourceRead }
  | ({ readonly kind: 'call'; readonly id: number; readonly plan: number } & CloudCallRequest)

/** The plan of a function, or of the provider of its cloud. `text`: without colours. */
export type PlannedInProcess =
  | PlannedByFunction
  | { readonly kind: 'object'; readonly plan: Omit<ObjectPlan, 'text'> & { readonly text: string } }

/** A request to a cloud. `provider`: the name of the provider that sends it. */
export interface CloudCallRequest {
  readonly provider: string
  readonly request: CloudHttpRequest
}

/** Sends a request for a plan that runs in the process. */
export type SendForPlan = (call: CloudCallRequest, signal: AbortSignal) => Promise<CloudHttpAnswer>

/** A read from the API server or from the given files. */
export type SourceRead =
  | { readonly verb: 'get'; readonly resource: GroupVersionResource; readonly key: ObjectKey }
  | {
      readonly verb: 'list'
      readonly resource: GroupVersionResource
      readonly options: Omit<ListOptions, 'signal'>
    }
