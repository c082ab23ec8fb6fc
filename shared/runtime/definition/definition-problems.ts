import * as z from 'zod'
import { extensionClasses, group } from '../../contract/constants.ts'
import { kindsWithShootConditions, shootConditions } from '../../contract/health.ts'
import { isKindName, type KindName, kindNames, kinds } from '../../contract/kinds.ts'
import { shown } from '../../decode/problems.ts'
import { recordOf } from '../../decode/record-of.ts'
import { issueTexts } from '../../decode/unknown-fields.ts'
import {
  namesOf,
  type Permission,
  permissionParts,
  rbacResource,
  verbs,
} from '../../kubernetes/kubernetes.ts'
import { hasSecret, kindRules, lifecyclePermissions } from '../../lifecycle/lifecycle.ts'
import { when } from '../../lists/when.ts'
import { ownPermissions } from '../../secondary/secondary.ts'
import { nearestName } from '../../text/nearest-name.ts'
import { pluralTitle } from '../../text/plural-title.ts'
import { hostSettings } from '../host-settings.ts'
import { functionLogsSchema } from './function-logs.ts'
import { functionRegistrationSchema, registrationProblems } from './function-registration.ts'
import { functionServiceSchema } from './function-service.ts'
import { isFinalizerSuffix, typesSchema } from './types-schema.ts'

// Schemas are created on demand, because the start of a bundled function does not need them.

/** RFC 1035. Knative requires it for the name of a Service, which becomes a host name. */
const isDnsLabel = (name: string): boolean => name.length <= 63 && /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(name)

const name = () =>
  z.string('missing: name the Knative Service, such as aws-dnsrecord').refine(isDnsLabel, {
    error: ({ input }) =>
      `${JSON.stringify(input)} is not a DNS label: expected at most 63 lower-case letters, digits and dashes, starting with a letter, such as aws-dnsrecord`,
  })

const kind = () =>
  z.custom<KindName>(value => typeof value === 'string' && isKindName(value), {
    error: ({ input }) =>
      typeof input === 'string'
        ? `unknown kind ${JSON.stringify(input)}: ${nearestKinds(input)}`
        : `missing: expected one of ${kindNames.join(', ')}`,
  })

/** `did you mean DNSRecord?`, or a list of all kinds if none is similar. */
const nearestKinds = (given: string): string => {
  const near = nearestName(given, kindNames)
  return near === undefined ? `known kinds: ${kindNames.join(', ')}` : `did you mean ${near}?`
}

const resource = () =>
  z.strictObject({
    group: z.string('expected the API group, or "" for the core group'),
    version: z.string('expected a version such as v1').min(1, 'expected a version such as v1'),
    plural: z
      .string('expected the plural name, such as secrets')
      .regex(
        /^[a-z][a-z0-9-]*$/,
        'expected the plural name in lower case, such as secrets; for a status use `subresource`',
      ),
    namespaced: z.boolean('expected true if its objects belong to namespaces, otherwise false'),
  })

/** A permission of a function, with its reason. */
export const permission = () =>
  z.strictObject({
    resource: resource(),
    subresource: z
      .enum(permissionParts, `expected one of ${permissionParts.join(', ')}, or nothing`)
      .exactOptional(),
    verbs: z
      .array(z.enum(verbs, `expected one of ${verbs.join(', ')}`), 'expected a list of verbs')
      .min(1, `expected at least one of ${verbs.join(', ')}`),
    why: z.string('expected a sentence with the purpose').min(1, 'expected a sentence with the purpose'),
  })

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** The bridge reads no Secrets. */
const healthRead = () =>
  z.strictObject({
    resource: resource().refine(
      ({ group, plural, namespaced }) => namespaced && (group !== '' || plural !== 'secrets'),
      { error: 'expected a resource with namespaces, and not Secrets: the bridge watches it' },
    ),
    name: z.string().min(1).exactOptional(),
    labelSelector: z.string().min(1).exactOptional(),
  })

const health = () =>
  z.strictObject({
    conditions: z
      .array(
        z.strictObject({
          type: z.string('expected the type of a condition, such as ControlPlaneHealthy').min(1),
          own: z.literal(true).exactOptional(),
          checks: z
            .array(
              z.object({
                name: z.string().min(1),
                reads: z.array(healthRead()).exactOptional(),
                run: z.custom(isFunction),
              }),
            )
            .min(1),
        }),
      )
      .min(1, 'expected at least one type of a condition that the function updates'),
    removes: z.array(z.string().min(1)).exactOptional(),
  })

/** The fields of every role. */
const common = () =>
  ({
    name: name(),
    kind: kind(),
    type: typesSchema(),
    classes: z
      .array(
        z.enum(extensionClasses, {
          error: ({ input }) =>
            `unknown class ${shown(input)}: known classes are ${extensionClasses.join(', ')}`,
        }),
        'expected a list of classes',
      )
      .min(1, `expected at least one of ${extensionClasses.join(', ')}, or no list for shoot`)
      .exactOptional(),
    settings: z
      .custom<z.ZodObject>(value => value instanceof Object && 'shape' in value && 'safeParse' in value, {
        error: 'expected a z.object({ … })',
      })
      .exactOptional(),
    permissions: z.array(permission(), 'expected a list').exactOptional(),
    service: functionServiceSchema().exactOptional(),
    create: z.custom(isFunction, { error: 'missing: expected (settings, { clock }) => actuator' }),
  }) as const

const secondaryShape = () =>
  z.strictObject({
    ...common(),
    role: z.literal('secondary'),
    conditions: z.array(z.string().min(1), 'expected a list of types of conditions').exactOptional(),
  })

const shape = () =>
  z.strictObject({
    ...common(),
    role: z.literal('primary', 'expected secondary, or nothing').exactOptional(),
    health: health().exactOptional(),
    registration: functionRegistrationSchema().exactOptional(),
    logs: functionLogsSchema().exactOptional(),
    finalizerSuffix: z.string().min(1).exactOptional(),
    resyncMs: z.number().min(0).exactOptional(),
    ignoresSecret: z.literal(true).exactOptional(),
    classifiers: z.array(z.object({ code: z.string(), matches: z.custom(isFunction) })).exactOptional(),
    planOf: z.custom(isFunction, { error: 'expected async ({ object }) => plan' }).exactOptional(),
  })

/** The message for errors without a message in the schema above. */
export const inOwnWords: z.core.$ZodErrorMap = issue =>
  issue.code === 'invalid_type'
    ? `expected ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    : undefined

/** Returns the problems in the argument of `defineFunction`, one sentence each: `kind: there is no kind "Dns": …`. */
export const definitionProblems = (given: unknown): readonly string[] => {
  if (recordOf(given).role === 'secondary') return secondaryProblems(given)
  const schema = shape()
  const parsed = schema.safeParse(given, { error: inOwnWords })
  if (!parsed.success) return issueTexts(schema, parsed.error.issues)
  const {
    kind: ofKind,
    type,
    finalizerSuffix,
    resyncMs,
    ignoresSecret,
    permissions = [],
    registration,
    classes,
    settings,
  } = parsed.data
  return [
    ...(ofKind === 'Extension' ? finalizerProblems(finalizerSuffix, type) : []),
    ...when(
      ofKind !== 'Extension' && (finalizerSuffix ?? resyncMs) !== undefined,
      `${finalizerSuffix === undefined ? 'resyncMs' : 'finalizerSuffix'}: only the kind Extension may have it`,
    ),
    ...settingProblems(settings),
    ...(registration === undefined ? [] : registrationProblems(registration, ofKind, classes)),
    ...(parsed.data.health === undefined
      ? []
      : healthProblems(parsed.data.health, ofKind, [
          ...permissions,
          ...lifecyclePermissions(ofKind, { ignoresSecret }),
        ])),
    ...(ignoresSecret && (kindRules[ofKind].hasSecretFinalizer || !hasSecret(ofKind))
      ? [`ignoresSecret: not supported for the kind ${ofKind}, ${whySecret(ofKind)}`]
      : []),
    ...repeatedPermissions(permissions, lifecyclePermissions(ofKind, { ignoresSecret })),
  ]
}

const settingProblems = (settings: z.ZodObject | undefined): readonly string[] =>
  Object.keys(settings?.shape ?? {})
    .filter(setting => setting in hostSettings)
    .map(
      setting =>
        `settings.${setting}: every function already has a setting with this name. Choose another name`,
    )

const secondaryProblems = (given: unknown): readonly string[] => {
  const schema = secondaryShape()
  const parsed = schema.safeParse(given, { error: inOwnWords })
  if (!parsed.success) return issueTexts(schema, parsed.error.issues)
  const { kind: ofKind, settings, permissions = [] } = parsed.data
  return [
    ...settingProblems(settings),
    ...permissions.flatMap((permitted, index) => {
      const { resource, subresource, verbs: given } = permitted
      const isPrimary = resource.plural === kinds[ofKind].plural || subresource === 'status'
      const verb = given.find(one => !reading.includes(one))
      if (resource.group !== group || !isPrimary || verb === undefined) return []
      return [
        `permissions[${index}]: a secondary function must not ${verb} ${rbacResource(permitted)}: they belong to the primary controller. Return conditions instead`,
      ]
    }),
    // A write has its own message above.
    ...repeatedPermissions(
      permissions,
      ownPermissions({ kind: ofKind, secondary: {} }).map(({ verbs, ...rest }) => ({
        ...rest,
        verbs: verbs.filter(verb => reading.includes(verb)),
      })),
    ),
  ]
}

const reading: readonly string[] = ['get', 'list', 'watch']

const finalizerProblems = (suffix: string | undefined, types: readonly string[]): readonly string[] => {
  const form = 'a finalizer may have at most 63 letters, digits, dashes, dots and underscores'
  if (suffix !== undefined)
    return isFinalizerSuffix(suffix) ? [] : [`finalizerSuffix: ${shown(suffix)} is not valid: ${form}`]
  return types
    .filter(type => !isFinalizerSuffix(type))
    .map(type => `finalizerSuffix: missing, and the type ${shown(type)} is not valid as a default: ${form}`)
}

type ParsedHealth = z.output<ReturnType<typeof health>>

/** Problems that would otherwise show only when an object is unhealthy. */
const healthProblems = (
  { conditions }: ParsedHealth,
  kind: KindName,
  permissions: readonly Permission[],
): readonly string[] => {
  const isRead = kindsWithShootConditions.includes(kind)
  const known = new Set<string>(isRead ? shootConditions : [])
  const permitted = new Set(permissions.flatMap(namesOf))
  const hasNamespace = kinds[kind].resource.namespaced
  return conditions.flatMap(({ type, own, checks }, index) => [
    ...when(
      own !== true && !known.has(type),
      isRead
        ? `health.conditions[${index}].type: gardenlet does not read ${type}: expected one of ${shootConditions.join(', ')}. For a condition of your own, add own: true`
        : `health.conditions[${index}].type: gardenlet reads no conditions of ${pluralTitle(kind)}. For a condition of your own, add own: true`,
    ),
    ...when(
      conditions.findIndex(other => other.type === type) < index,
      `health.conditions[${index}].type: ${type} is listed twice. Move the checks to one entry`,
    ),
    ...checks.flatMap(({ name, reads = [] }) =>
      reads.flatMap(read => {
        const verb = read.name === undefined ? 'list' : 'get'
        const named = namesOf({ resource: read.resource, verbs: [verb] })
        const at = `health.conditions[${index}], check ${JSON.stringify(name)}`
        return [
          ...when(
            !hasNamespace,
            `${at}: reads ${read.resource.plural}, but ${pluralTitle(kind)} have no namespace to read them in`,
          ),
          ...named
            .filter(one => !permitted.has(one))
            .map(one => `${at}: needs the permission to ${one}. Add it to permissions`),
        ]
      }),
    ),
  ])
}

const whySecret = (kind: KindName): string =>
  hasSecret(kind) ? 'whose Secret has a finalizer' : 'whose objects refer to no Secret'

const repeatedPermissions = (
  permissions: readonly (Permission & { readonly why: string })[],
  ofLifecycle: readonly Permission[],
): readonly string[] => {
  const given = new Set(ofLifecycle.flatMap(namesOf))
  const seen = new Map<string, string>()
  return permissions.flatMap((permitted, index) =>
    namesOf(permitted).flatMap(named => {
      if (given.has(named))
        return [`permissions[${index}]: the lifecycle already has the permission to ${named}. Remove it`]
      // The lists of the library overlap, for different purposes.
      if (seen.get(named) === permitted.why)
        return [`permissions[${index}]: ${named} is listed twice. Remove one`]
      seen.set(named, permitted.why)
      return []
    }),
  )
}
