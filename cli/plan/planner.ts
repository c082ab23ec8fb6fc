import { planStep, type StepPlan } from '../../sandbox/plan/plan-step.ts'
import type { ObjectPlan, PlanSurroundings, Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { ExtensionClass } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { envName, type FunctionDefinition, parseSettings } from '../../shared/runtime/runtime.ts'

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
    plan(object, { secret: given, ...surroundings }) {
      const secret = this.ignoresSecret ? noSecret : given
      if (secret === undefined)
        throw new UsageError('spec.secretRef: expected the name and namespace of a Secret')
      return provider.plan(object, { ...surroundings, secret })
    },
  }))

/** Plans for a function that changes only Kubernetes: runs its steps and records their writes without doing them. */
export const planFunction = (
  definition: FunctionDefinition,
  { env, ...given }: Omit<GivenSurroundings, 'connection'> & { readonly object: KubernetesObject },
): Promise<StepPlan> => {
  const { settings: schema, create } = definition
  const known = new Set(Object.keys(schema.shape).map(name => envName(name)))
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => known.has(name)))
  const settings = parseSettings(schema, { flags: {}, env: own })
  const actuator = create(settings, { clock: given.clock })
  return planStep(definition, { ...given, actuator })
}
