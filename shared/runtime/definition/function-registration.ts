import * as z from 'zod'
import type { ExtensionClass } from '../../contract/constants.ts'
import type { KindName } from '../../contract/kinds.ts'

const reconcileStrategies = ['BeforeKubeAPIServer', 'AfterKubeAPIServer', 'AfterWorker'] as const
const endStrategies = ['BeforeKubeAPIServer', 'AfterKubeAPIServer'] as const

const strategy = <const T extends readonly [string, ...string[]]>(strategies: T) =>
  z.enum(strategies, `expected one of ${strategies.join(', ')}`).exactOptional()

const onlyTrue = () => z.literal(true, 'expected true, or nothing').exactOptional()

/**
 * What Gardener is told of a function's objects when it is registered, beside kind, type and classes
 * (docs/contract/registration.md#resources). Made when it is needed: no start of a function needs it.
 */
export const functionRegistrationSchema = () =>
  z.strictObject({
    /** When gardenlet has Extensions reconciled, deleted and migrated. Absent: after, before and before the API server. */
    lifecycle: z
      .strictObject({
        reconcile: strategy(reconcileStrategies),
        delete: strategy(endStrategies),
        migrate: strategy(endStrategies),
      })
      .exactOptional(),
    /** Whose clusters get an Extension without asking for one. Absent: nobody's. */
    autoEnable: z
      .array(z.enum(['shoot', 'seed'], 'expected shoot or seed'))
      .min(1, 'it is empty: shoot or seed, or nothing')
      .readonly()
      .exactOptional(),
    /** Whether Shoots without workers may have the Extension. Absent: they may not. */
    workerlessSupported: onlyTrue(),
    /** How long gardenlet waits for an Extension. Absent: three minutes. */
    reconcileTimeout: z
      .string()
      .regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/, 'expected a duration such as 30s or 1m30s')
      .exactOptional(),
    /** Whether gardenlet keeps the endpoints of a SelfHostedShootExposure up to date. Absent: it does not. */
    continuousEndpointUpdate: onlyTrue(),
  })

/** What Gardener is told of a function's objects when it is registered. */
export type FunctionRegistration = Readonly<z.input<ReturnType<typeof functionRegistrationSchema>>>

/** A field is for one kind alone: API servers of the garden refuse it with another one. */
export const registrationProblems = (
  registration: FunctionRegistration,
  kind: KindName,
  classes: readonly ExtensionClass[] = ['shoot'],
): readonly string[] => [
  ...Object.keys(registration).flatMap(field => {
    const of = field === 'continuousEndpointUpdate' ? 'SelfHostedShootExposure' : 'Extension'
    return of === kind ? [] : [`registration.${field}: it is for the kind ${of} alone`]
  }),
  ...(registration.autoEnable ?? [])
    .filter(cluster => !classes.includes(cluster))
    .map(cluster => `registration.autoEnable: ${cluster} is none of its classes: ${classes.join(', ')}`),
]
