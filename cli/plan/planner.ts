import type { ExtensionClass } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { envName, type FunctionDefinition, parseSettings } from '../../shared/runtime/runtime.ts'
import { UsageError } from '../exit-code.ts'
import type { ObjectPlan, PlanSurroundings, Provider } from '../provider/provider.ts'
import { planStep } from './plan-step.ts'
import { stepPlan } from './step-plan.ts'

/** Who makes the plans of some objects of a kind. */
export interface Planner {
  readonly kind: KindName
  /** Values of `spec.type`. */
  readonly types: readonly string[]
  /** Values of `spec.class`; absent: all. */
  readonly classes?: readonly ExtensionClass[]
  /** Beside the object, its Cluster and Secrets, what a plan reads: `permissions` of the function. */
  readonly permissions: FunctionDefinition['permissions']
  /** Its function never reads the Secret that the object names, so it need not be there. Absent: it does. */
  readonly ignoresSecret?: boolean
  readonly connect: Provider['connect']
  readonly plan: (object: KubernetesObject, surroundings: GivenSurroundings) => Promise<ObjectPlan>
}

export interface GivenSurroundings extends Omit<PlanSurroundings, 'secret'> {
  /** Undefined: the object names none. */
  readonly secret: PlanSurroundings['secret'] | undefined
}

const noSecret: PlanSurroundings['secret'] = { name: '', namespace: '', labels: {}, data: {} }

/** Those of a provider, whose functions change a cloud. */
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

/** That of a function which changes Kubernetes alone: its steps run, and what they would write is noted. */
export const functionPlanner = (definition: FunctionDefinition): Planner => {
  const { kind, types, classes, permissions, ignoresSecret = false, settings: schema, create } = definition
  return {
    kind,
    types,
    classes,
    permissions,
    ignoresSecret,
    connect: async () => undefined,
    plan: async (object, { connection: _, env, ...surroundings }) => {
      const known = new Set(Object.keys(schema.shape).map(name => envName(name)))
      const own = Object.fromEntries(Object.entries(env).filter(([name]) => known.has(name)))
      const settings = parseSettings(schema, { flags: {}, env: own })
      const actuator = create(settings, { clock: surroundings.clock })
      return stepPlan(await planStep(definition, { ...surroundings, object, actuator }), surroundings.destroy)
    },
  }
}
