import * as z from 'zod'
import type { ExtensionClass } from '../contract/constants.ts'
import type { KindName, ObjectOf } from '../contract/kinds.ts'
import type { HealthDefinition } from '../health/health.ts'
import type { Actuator, Backend } from '../lifecycle/lifecycle.ts'
import { callPlaceOf } from './definition/call-place.ts'
import {
  type FunctionDefinition,
  type FunctionDeps,
  type FunctionPermission,
  madeByDefineFunction,
} from './definition/definition.ts'
import { DefinitionError } from './definition/definition-error.ts'
import { definitionProblems } from './definition/definition-problems.ts'
import type { FunctionRegistration } from './definition/function-registration.ts'
import type { FunctionServiceInput } from './definition/function-service.ts'
import { registerIfFramework } from './register-if-framework.ts'

/** There in bundles alone: what is in one was checked when it was made (build/images/bundle/bundle.ts), and a start has no time for it. */
declare const definitionsAreChecked: true | undefined

/** What an author says of a function. Everything but `create` is data, which others read without making anything. */
export interface FunctionOptions<K extends KindName, S extends z.ZodObject, Connection>
  extends Pick<Backend, 'finalizerSuffix' | 'resyncMs' | 'ignoresSecret' | 'classifiers'> {
  /** The name of the Knative Service, of its Trigger and of its ServiceAccount: a DNS label, `aws-dnsrecord`. */
  readonly name: string
  /** The kind of its objects: `DNSRecord`. The type of the objects that the actuator gets follows from it. */
  readonly kind: K
  /** The `spec.type` of its objects: `aws-route53`; or all of them: `['gardenlinux', 'gardenlinux-fips']`. */
  readonly type: string | readonly string[]
  /** The `spec.class` of its objects (docs/contract/lifecycle.md#class-and-type). Absent: `shoot` only. */
  readonly classes?: readonly ExtensionClass[]
  /** What can be set, beside what can be set of every function. Absent: nothing. */
  readonly settings?: S
  /**
   * What it does in the API server by itself. What the lifecycle does for its kind goes without saying. Absent: nothing.
   */
  readonly permissions?: readonly FunctionPermission[]
  /** What is special about its Knative Service, each choice with its reason. Absent: nothing. */
  readonly service?: FunctionServiceInput
  /** Which conditions of its objects gardenlet reads, and what they are made of (docs/health.md). Absent: none. */
  readonly health?: HealthDefinition
  /**
   * What Gardener is told of its objects when it is registered, beside kind, type and classes: the lifecycle of Extensions, say
   * (docs/contract/registration.md#resources). Absent: nothing.
   */
  readonly registration?: FunctionRegistration
  /** Makes the actuator, once in a process. */
  readonly create: (settings: Readonly<z.output<S>>, deps: FunctionDeps<Connection>) => Actuator<ObjectOf<K>>
}

/**
 * Defines a function: which objects it is for, and what to do for them in the cloud. Everything else (annotations,
 * finalizers, status, retries) is the lifecycle's. `functions/<provider>/<kind>/function.ts` exports what this returns
 * as `definition`.
 *
 * Throws a `DefinitionError` that names file and line when the definition cannot be used. In a process of the functions
 * framework's command line, the function is registered there under its name.
 *
 * @example
 * export const definition = defineFunction({
 *   name: 'local-dnsrecord',
 *   kind: 'DNSRecord',
 *   type: 'zone-file',
 *   create: () => ({
 *     reconcile: async ({ object, throwIfExpired }) => {
 *       throwIfExpired()
 *       await writeLine(object.spec.name, object.spec.values)
 *       return done()
 *     },
 *     remove: async ({ object, throwIfExpired }) => {
 *       throwIfExpired()
 *       await removeLine(object.spec.name)
 *       return done()
 *     },
 *   }),
 * })
 */
export const defineFunction = <
  const K extends KindName,
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Connection = unknown,
>(
  options: FunctionOptions<K, S, Connection>,
): FunctionDefinition => {
  const place = callPlaceOf(defineFunction)
  const problems = typeof definitionsAreChecked === 'undefined' ? definitionProblems(options) : []
  if (problems.length > 0) throw new DefinitionError(problems.map(message => ({ place, message })))
  const {
    type,
    classes = ['shoot'],
    settings = z.object({}),
    permissions = [],
    service = {},
    create,
    ...rest
  } = options
  const definition: FunctionDefinition & { readonly [madeByDefineFunction]: true } = {
    ...rest,
    types: typeof type === 'string' ? [type] : [...type],
    classes,
    settings,
    permissions,
    service,
    place,
    // Who calls it has parsed the settings with the definition's own schema, and knows the provider's connection; the
    // lifecycle parses each object with the schema of the kind before the actuator gets it.
    create: create as unknown as FunctionDefinition['create'],
    [madeByDefineFunction]: true,
  }
  registerIfFramework(definition)
  return definition
}
