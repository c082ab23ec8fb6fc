import type * as z from 'zod'
import type { Clock } from '../../clock/clock.ts'
import type { HealthDefinition } from '../../health/health.ts'
import type { KubernetesObject, Permission } from '../../kubernetes/kubernetes.ts'
import type { Actuator, Backend, ReadKubernetes, StepContext } from '../../lifecycle/lifecycle.ts'
import type { SecondaryDefinition } from '../../secondary/secondary.ts'
import type { SourcePlace } from './definition-error.ts'
import type { FunctionLogs } from './function-logs.ts'
import type { FunctionRegistration } from './function-registration.ts'
import type { FunctionServiceInput } from './function-service.ts'

/** A permission in the API server in addition to those that the lifecycle needs for the kind. */
export interface FunctionPermission extends Permission {
  /** The reason. Written as a comment of the RBAC rule. */
  readonly why: string
}

/** A finished request to a cloud. Each try of a call is one request. */
export interface CloudRequest {
  /** `ec2`, `route53` */
  readonly service: string
  /** The operation, `DescribeVpcs`, or the HTTP method if the request does not contain it. */
  readonly operation: string
  /** The HTTP status; `none` if no response arrived. */
  readonly status: string
  /** True if the cloud throttled the request. */
  readonly throttled: boolean
  readonly durationMs: number
  /**
   * The arguments of the operation. Only step reports contain them: as JSON, cut after 512 characters, without fields
   * that may hold secrets and without the values of the step's Secrets.
   */
  readonly args?: unknown
  /** The id that the cloud gave to the request. */
  readonly requestId?: string | undefined
  /** The code of a failure: `DependencyViolation`. */
  readonly error?: string | undefined
  /** True if the operation can change something. Absent: unknown. */
  readonly write?: boolean
}

/** The dependencies of a function, besides its settings. */
export interface FunctionDeps<Connection = unknown> {
  readonly clock: Clock
  /** Called for each request to the cloud, for metrics and step reports. Call it in the step that made the request. */
  readonly onRequest?: (request: CloudRequest) => void
  /** How to connect to a cloud other than the real one. The provider defines its type. */
  readonly connection?: Connection
}

/** The input of a plan: that of a step, as far as a plan may use it. */
export interface PlanContext<O extends KubernetesObject = KubernetesObject>
  extends Pick<StepContext<O>, 'object' | 'cluster' | 'secret' | 'signal' | 'clock'> {
  /** Reads with the permissions of the function. */
  readonly kubernetes: ReadKubernetes
  /** True if the plan is that of a deletion. */
  readonly destroy: boolean
}

/** The changes that the next steps would make in a cloud. The engine's plan (`planGraph`) is one. */
export interface FunctionPlan {
  readonly actions: readonly CloudChange[]
}

/** One change of a plan. */
export interface CloudChange {
  readonly kind: 'create' | 'update' | 'replace' | 'delete' | 'wait' | 'adopt' | 'forget' | 'missing'
  /** Describes the change for users: `create A record api.example.com`. Unique in the plan. */
  readonly sentence: string
  /** The attributes that differ. Default: none are shown. */
  readonly changes?: readonly AttributeChange[]
  /** Sentences of the changes that must be done before. Default: none. */
  readonly after?: readonly string[]
}

/** A changed attribute. `before` is absent if it is new, `after` if it is removed. */
export interface AttributeChange {
  readonly attribute: string
  readonly before?: string | number | boolean | undefined
  /** A symbol: known only after the creation of another resource. */
  readonly after?: string | number | boolean | symbol | undefined
}

/** A function as data: its objects, settings and needs. Reading it creates nothing. Created by `defineFunction`. */
export interface FunctionDefinition
  extends Required<Pick<Backend, 'kind' | 'types' | 'classes'>>,
    Pick<Backend, 'finalizerSuffix' | 'resyncMs' | 'ignoresSecret' | 'classifiers'> {
  /** The name of the Knative Service, its Trigger and its ServiceAccount. */
  readonly name: string
  /** The function's own settings. Each process adds the common settings. */
  readonly settings: z.ZodObject
  readonly permissions: readonly FunctionPermission[]
  /** Absent fields use the defaults of `functionService`. */
  readonly service: FunctionServiceInput
  /** The conditions that it maintains. Absent: none. */
  readonly health?: HealthDefinition
  /** Registration fields other than kind, type and classes. Absent: none. */
  readonly registration?: FunctionRegistration
  /** The log lines of its components in the seed. Absent: none. */
  readonly logs?: readonly FunctionLogs[]
  /** Absent: the function is the primary controller of its objects. `create` throws if present. */
  readonly secondary?: SecondaryDefinition
  /** Source location of the definition. Undefined if the stack lacks it. */
  readonly place: SourcePlace | undefined
  /** Creates the actuator of one process. The definition's `settings` have parsed the argument. */
  readonly create: (settings: Readonly<Record<string, unknown>>, deps: FunctionDeps) => Actuator
  /** Plans the changes in its cloud. Absent: a plan runs the steps of the actuator. */
  readonly planOf?: (
    context: PlanContext,
    settings: Readonly<Record<string, unknown>>,
    deps: FunctionDeps,
  ) => Promise<FunctionPlan>
}

/** All copies of the library in a process share this symbol. */
export const madeByDefineFunction = Symbol.for('trellis.gardener.cloud/function-definition')

/** Returns true if `defineFunction` created the value. */
export const isFunctionDefinition = (value: unknown): value is FunctionDefinition =>
  typeof value === 'object' && value !== null && madeByDefineFunction in value
