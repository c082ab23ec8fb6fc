import { cloudPlan, cloudPlanJson } from '../../sandbox/plan-texts/cloud-plan.ts'
import { planStep, type StepPlan } from '../../sandbox/plan-texts/plan-step.ts'
import { stepPlan } from '../../sandbox/plan-texts/step-plan.ts'
import type { ObjectPlan, PlanSurroundings, Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { ExtensionClass } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import {
  type Kubernetes,
  type KubernetesObject,
  permittedKubernetes,
} from '../../shared/kubernetes/kubernetes.ts'
import { lifecyclePermissions } from '../../shared/lifecycle/lifecycle.ts'
import { envName, type FunctionDefinition, parseSettings } from '../../shared/runtime/runtime.ts'
import type { PlanJson } from '../../terraform-free-infra/engine/engine.ts'

/** Plans for some objects of a kind. */
export interface Planner {
  readonly kind: KindName
  /** Values of `spec.type`. */
  readonly types: readonly string[]
  /** Values of `spec.class`. Default: all. */
  readonly classes?: readonly ExtensionClass[]
  /** The reads of a plan beside the object, its Cluster and Secrets: `permissions` of the function. */
  readonly permissions: FunctionDefinition['permissions']
  /** True if its function never reads the Secret of the object, which then may be missing. Default: false. */
  readonly ignoresSecret?: boolean
  readonly connect: Provider['connect']
  /** Absent: its objects belong to no account. */
  readonly accounts?: Provider['accounts']
  readonly plan: (object: KubernetesObject, surroundings: GivenSurroundings) => Promise<ObjectPlan>
}

export interface GivenSurroundings extends Omit<PlanSurroundings, 'secret'> {
  /** Undefined if the object has no Secret reference. */
  readonly secret: PlanSurroundings['secret'] | undefined
}

const noSecret: PlanSurroundings['secret'] = { name: '', namespace: '', labels: {}, data: {} }

/** Returns the planners of a provider with functions that change a cloud. */
export const providerPlanners = (provider: Provider): readonly Planner[] =>
  Object.entries(provider.plans).map(([kind, type]) => ({
    kind: kind as KindName,
    types: [type],
    permissions: [],
    ignoresSecret: provider.plansWithoutSecret?.some(name => name === kind) ?? false,
    connect: provider.connect,
    ...(provider.accounts && { accounts: provider.accounts }),
    plan(object, { secret: given, ...surroundings }) {
      const secret = this.ignoresSecret ? noSecret : given
      if (secret === undefined)
        throw new UsageError('spec.secretRef: expected the name and namespace of a Secret')
      return provider.plan(object, { ...surroundings, secret })
    },
  }))

/** The plan of a function as data: the writes of its steps, or the changes in its cloud. */
export type PlannedByFunction =
  | { readonly kind: 'steps'; readonly plan: StepPlan }
  | { readonly kind: 'cloud'; readonly plan: PlanJson }

/**
 * Plans for a function: by its `planOf`, else by its steps, whose writes to the API server are recorded and not done.
 */
export const planFunction = async (
  definition: FunctionDefinition,
  { env, ...given }: Omit<GivenSurroundings, 'connection'> & { readonly object: KubernetesObject },
): Promise<PlannedByFunction> => {
  const { kind, name, permissions, settings: schema, create, planOf } = definition
  if (definition.secondary !== undefined)
    throw new UsageError(`${name} is a secondary function: it reconciles nothing that could be planned`)
  const known = new Set(Object.keys(schema.shape).map(name => envName(name)))
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => known.has(name)))
  const settings = parseSettings(schema, { flags: {}, env: own })
  const deps = { clock: given.clock }
  const actuator = create(settings, deps)
  if (planOf === undefined) return { kind: 'steps', plan: await planStep(definition, { ...given, actuator }) }
  const { object, secret, destroy } = given
  if (!destroy) await actuator.check?.({ object, secret })
  // A plan uses two calls of the port.
  const kubernetes = permittedKubernetes(given.kubernetes as Kubernetes, [
    ...lifecyclePermissions(kind, definition),
    ...permissions,
  ])
  const plan = await planOf({ ...given, kubernetes }, settings, deps)
  return { kind: 'cloud', plan: cloudPlanJson(plan, destroy) }
}

/** Returns the printed plan of a function. */
export const planText = (planned: PlannedByFunction, destroying: boolean): ObjectPlan =>
  planned.kind === 'steps' ? stepPlan(planned.plan, destroying) : cloudPlan(planned.plan)
