import * as z from 'zod'
import type { ExtensionClass } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'

const reconcileStrategies = ['BeforeKubeAPIServer', 'AfterKubeAPIServer', 'AfterWorker'] as const
const endStrategies = ['BeforeKubeAPIServer', 'AfterKubeAPIServer'] as const

const strategy = <const T extends readonly [string, ...string[]]>(strategies: T) =>
  z.enum(strategies, `expected one of ${strategies.join(', ')}`).exactOptional()

const onlyTrue = () => z.literal(true, 'expected true, or nothing').exactOptional()

/**
 * The registration fields of a function's objects, other than kind, type and classes
 * (docs/contract/registration.md#resources). Created on demand, because no start of a function needs it.
 */
export const functionRegistrationSchema = () =>
  z.strictObject({
    /**
     * When gardenlet reconciles, deletes and migrates Extensions. Defaults: after, before, and before the API server.
     */
    lifecycle: z
      .strictObject({
        reconcile: strategy(reconcileStrategies),
        delete: strategy(endStrategies),
        migrate: strategy(endStrategies),
      })
      .exactOptional(),
    /** The clusters that get the Extension without asking for it. Default: none. */
    autoEnable: z
      .array(z.enum(['shoot', 'seed'], 'expected shoot or seed'))
      .min(1, 'expected shoot or seed, or no list')
      .readonly()
      .exactOptional(),
    /** True if Shoots without workers may have the Extension. Default: false. */
    workerlessSupported: onlyTrue(),
    /** How long gardenlet waits for an Extension. Default: three minutes. */
    reconcileTimeout: z
      .string()
      .regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/, 'expected a duration such as 30s or 1m30s')
      .exactOptional(),
    /** True if gardenlet keeps the endpoints of a SelfHostedShootExposure up to date. Default: false. */
    continuousEndpointUpdate: onlyTrue(),
  })

/** The registration fields of a function's objects. */
export type FunctionRegistration = Readonly<z.input<ReturnType<typeof functionRegistrationSchema>>>

/** Each field belongs to one kind. The garden's API server refuses it with any other kind. */
export const registrationProblems = (
  registration: FunctionRegistration,
  kind: KindName,
  classes: readonly ExtensionClass[] = ['shoot'],
): readonly string[] => [
  ...Object.keys(registration).flatMap(field => {
    const of = field === 'continuousEndpointUpdate' ? 'SelfHostedShootExposure' : 'Extension'
    return of === kind ? [] : [`registration.${field}: only the kind ${of} may have it`]
  }),
  ...(registration.autoEnable ?? [])
    .filter(cluster => !classes.includes(cluster))
    .map(cluster => `registration.autoEnable: ${cluster} is not one of its classes: ${classes.join(', ')}`),
]
