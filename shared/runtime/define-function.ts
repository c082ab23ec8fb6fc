import * as z from 'zod'
import type { ExtensionClass } from '../contract/constants.ts'
import type { KindName, ObjectOf } from '../contract/kinds.ts'
import type { HealthDefinition } from '../health/health.ts'
import type { Actuator, Backend } from '../lifecycle/lifecycle.ts'
import type { SecondaryActuator, SecondaryDefinition } from '../secondary/secondary.ts'
import { callPlaceOf } from './definition/call-place.ts'
import {
  type FunctionDefinition,
  type FunctionDeps,
  type FunctionPermission,
  type FunctionPlan,
  madeByDefineFunction,
  type PlanContext,
} from './definition/definition.ts'
import { DefinitionError } from './definition/definition-error.ts'
import { definitionProblems } from './definition/definition-problems.ts'
import type { FunctionLogs } from './definition/function-logs.ts'
import type { FunctionRegistration } from './definition/function-registration.ts'
import type { FunctionServiceInput } from './definition/function-service.ts'
import { registerIfFramework } from './register-if-framework.ts'

/**
 * Defined in bundles only. Bundled definitions were checked at build time (build/images/bundle/bundle.ts); checking
 * them again would slow the start.
 */
declare const definitionsAreChecked: true | undefined

/**
 * The definition that an author writes. Everything except `create` is data and can be read without creating anything.
 */
export interface FunctionOptions<K extends KindName, S extends z.ZodObject, Connection>
  extends Pick<Backend, 'finalizerSuffix' | 'resyncMs' | 'ignoresSecret' | 'classifiers'> {
  /** Default: `primary`, which reconciles the objects. `secondary` follows them (`SecondaryOptions`). */
  readonly role?: 'primary'
  /** The name of the Knative Service, its Trigger and its ServiceAccount. A DNS label: `aws-dnsrecord`. */
  readonly name: string
  /** The kind of its objects: `DNSRecord`. It determines the object type of the actuator. */
  readonly kind: K
  /** The `spec.type` of its objects: `aws-route53`, or a list: `['gardenlinux', 'gardenlinux-fips']`. */
  readonly type: string | readonly string[]
  /** The `spec.class` of its objects (docs/contract/lifecycle.md#class-and-type). Default: `shoot` only. */
  readonly classes?: readonly ExtensionClass[]
  /** Settings in addition to those that every function has. Default: none. */
  readonly settings?: S
  /** Permissions in the API server that the function needs in addition to those of the lifecycle. Default: none. */
  readonly permissions?: readonly FunctionPermission[]
  /** Overrides for its Knative Service, each with its reason. Default: none. */
  readonly service?: FunctionServiceInput
  /** The conditions that gardenlet reads, and the checks behind them (docs/health.md). Default: none. */
  readonly health?: HealthDefinition
  /**
   * Registration fields other than kind, type and classes, such as the lifecycle of Extensions
   * (docs/contract/registration.md#resources). Default: none.
   */
  readonly registration?: FunctionRegistration
  /**
   * The log lines of the components that it creates in the seed. fluent-bit splits them into fields, so that operators
   * can search by severity and source (docs/contract/observing.md#fluent-bit). Default: none.
   */
  readonly logs?: readonly FunctionLogs[]
  /** Creates the actuator, once per process. */
  readonly create: (settings: Readonly<z.output<S>>, deps: FunctionDeps<Connection>) => Actuator<ObjectOf<K>>
  /**
   * Returns the changes that the next steps would make in the cloud, for `trellis plan`. It must only read. Default:
   * `trellis plan` runs the steps of the actuator, and shows their writes to the API server.
   *
   * @example
   * planOf: ({ object, secret, signal, clock, destroy }) =>
   *   planGraph({ graph: graphFor(object), cloud: acme(secret), state: stateOf(object), signal, clock, destroy })
   */
  readonly planOf?: (
    context: PlanContext<ObjectOf<K>>,
    settings: Readonly<z.output<S>>,
    deps: FunctionDeps<Connection>,
  ) => Promise<FunctionPlan>
}

/**
 * The definition of a secondary function (docs/secondary.md): it gets `observe` events for the objects of a primary
 * controller, and writes conditions of its own types and objects of its own. A write of the primary's fields is refused.
 *
 * @example
 * export const definition = defineFunction({
 *   role: 'secondary',
 *   name: 'acme-audit',
 *   kind: 'ControlPlane',
 *   type: 'acme',
 *   conditions: ['AuditLogConfigured'],
 *   create: () => ({
 *     observe: async ({ primary }) => ({
 *       conditions: { AuditLogConfigured: { status: primary?.state === 'Succeeded' ? 'True' : 'Unknown' } },
 *     }),
 *   }),
 * })
 */
export interface SecondaryOptions<K extends KindName, S extends z.ZodObject, Connection, C extends string>
  extends Pick<
    FunctionOptions<K, S, Connection>,
    'name' | 'kind' | 'type' | 'classes' | 'settings' | 'permissions' | 'service'
  > {
  readonly role: 'secondary'
  /** The types of the conditions that its steps write. No other writer may have them. Default: none. */
  readonly conditions?: readonly C[]
  /** Creates the actuator, once per process. */
  readonly create: (
    settings: Readonly<z.output<S>>,
    deps: FunctionDeps<Connection>,
  ) => SecondaryActuator<ObjectOf<K>, C>
}

/**
 * Defines a function: its objects, and how to reconcile them in the cloud. The lifecycle handles the rest (annotations,
 * finalizers, status, retries). `functions/<provider>/<kind>/function.ts` exports the result as `definition`.
 *
 * Throws a `DefinitionError` with file and line if the definition is invalid. In a process of the functions framework's
 * command line, the function is registered there under its name.
 *
 * @example
 * export const definition = defineFunction({
 *   name: 'local-dnsrecord',
 *   kind: 'DNSRecord',
 *   type: 'zone-file',
 *   create: () => ({
 *     reconcile: async ({ object: { spec }, throwIfExpired }) => {
 *       throwIfExpired()
 *       await writeFile(`${spec.name}.zone`, spec.values.join(' '))
 *       return done()
 *     },
 *     remove: async ({ object: { spec }, throwIfExpired }) => {
 *       throwIfExpired()
 *       await rm(`${spec.name}.zone`, { force: true })
 *       return done()
 *     },
 *   }),
 * })
 */
export const defineFunction = <
  const K extends KindName,
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Connection = unknown,
  const C extends string = never,
>(
  options: FunctionOptions<K, S, Connection> | SecondaryOptions<K, S, Connection, C>,
): FunctionDefinition => {
  const place = callPlaceOf(defineFunction)
  const problems = typeof definitionsAreChecked === 'undefined' ? definitionProblems(options) : []
  if (problems.length > 0) throw new DefinitionError(problems.map(message => ({ place, message })))
  const { type, classes = ['shoot'], settings = z.object({}), permissions = [], service = {} } = options
  const common = {
    types: typeof type === 'string' ? [type] : [...type],
    classes,
    settings,
    permissions,
    service,
    place,
    [madeByDefineFunction]: true,
  } as const
  const definition = { ...ownPartOf(options), ...common }
  registerIfFramework(definition)
  return definition
}

/**
 * The caller has parsed the settings with the definition's schema and knows the provider's connection. The object of
 * each step is parsed with the schema of its kind before the actuator gets it.
 */
const ownPartOf = <K extends KindName, S extends z.ZodObject, Connection, C extends string>(
  options: FunctionOptions<K, S, Connection> | SecondaryOptions<K, S, Connection, C>,
): Omit<FunctionDefinition, 'types' | 'classes' | 'settings' | 'permissions' | 'service' | 'place'> => {
  if (options.role === 'secondary') {
    const { name, kind, conditions = [] } = options
    const create = () => {
      throw new TypeError(`the secondary function ${name} reconciles nothing`)
    }
    const make = options.create as unknown as SecondaryDefinition['create']
    return { name, kind, create, secondary: { conditions, create: make } }
  }
  const { role: _, type: __, create, planOf, ...rest } = options
  return {
    ...rest,
    create: create as unknown as FunctionDefinition['create'],
    ...(planOf && { planOf: planOf as unknown as NonNullable<FunctionDefinition['planOf']> }),
  }
}
