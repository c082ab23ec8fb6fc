import * as z from 'zod'
import { shown } from '../../decode/problems.ts'
import { issueTexts } from '../../decode/unknown-fields.ts'
import { when } from '../../lists/when.ts'
import { inOwnWords, permissionSchema } from '../../runtime/definition-checks.ts'
import { reviewOperations } from './review.ts'
import { webhookTargets } from './webhook-definition.ts'

/** RFC 1123: labels separated by dots. */
const isDnsName = (text: string): boolean =>
  text.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(text)

const dnsName = (example: string) =>
  z.string(`missing: expected a name such as ${example}`).refine(isDnsName, {
    error: ({ input }) =>
      `${shown(input)} is not valid: expected lower-case letters, digits, dashes and dots, such as ${example}`,
  })

/**
 * The common name of a certificate has at most 64 characters. The CA is named after its Secret:
 * `ca-<component>-webhook` plus 15 characters.
 */
const longestComponent = 38

const operations = z
  .array(z.enum(reviewOperations, `expected some of ${reviewOperations.join(', ')}`))
  .min(1, `expected some of ${reviewOperations.join(', ')}, or no list for both`)

const resource = z.strictObject({
  group: z
    .string('expected the API group, or "" for the core group')
    .refine(group => group !== '*', 'expected one group: all groups would cause too many calls'),
  versions: z
    .array(z.string().min(1, 'expected a version such as v1'), 'expected a list of versions')
    .min(1, 'expected a version such as v1, or * for all versions')
    .refine(
      versions => versions.length === 1 || !versions.includes('*'),
      'expected only *, or a list of versions',
    ),
  plural: z
    .string('expected the plural name, such as secrets')
    .regex(
      /^[a-z][a-z0-9-]*(?:\/(?:[a-z]+|\*))?$/,
      'expected the plural name in lower case, such as secrets, shoots/status or nodes/*',
    ),
  kind: z.string('expected the kind, such as Secret').min(1, 'expected the kind, such as Secret'),
  operations: operations.exactOptional(),
  mostElements: z.number().int().min(1).exactOptional(),
})

const labels = z.record(z.string(), z.string())

const requirement = z
  .strictObject({
    key: z.string().min(1, 'expected the name of a label'),
    operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist'], 'expected In, NotIn, Exists or DoesNotExist'),
    values: z.array(z.string()).exactOptional(),
  })
  .refine(
    ({ operator, values = [] }) => (operator === 'In' || operator === 'NotIn') === values.length > 0,
    'expected values for In and NotIn, and no values for other operators',
  )

const selector = z.strictObject({
  matchLabels: labels.exactOptional(),
  matchExpressions: z.array(requirement).exactOptional(),
})

const matchCondition = z.strictObject({
  name: z
    .string('missing: expected a name such as own-types')
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected lower-case letters, digits and dashes'),
  expression: z.string('expected an expression in CEL').min(1, 'expected an expression in CEL'),
})

const shape = z.strictObject({
  name: dnsName('controlplane'),
  component: dnsName('provider-acme').refine(
    component => component.length <= longestComponent,
    `expected at most ${longestComponent} characters: certificates contain its name`,
  ),
  action: z.enum(['mutate', 'validate'], 'expected mutate or validate'),
  target: z.enum(webhookTargets, `expected one of ${webhookTargets.join(', ')}`),
  resources: z
    .array(resource, 'expected a list of resources')
    .min(1, 'expected at least one resource to review'),
  namespaceSelector: selector.exactOptional(),
  objectSelector: selector.exactOptional(),
  matchConditions: z.array(matchCondition, 'expected a list of conditions').max(64).exactOptional(),
  failurePolicy: z.enum(['Fail', 'Ignore'], 'expected Fail or Ignore').exactOptional(),
  timeoutSeconds: z
    .int('expected a whole number of seconds')
    .min(1, 'expected 1 to 30 seconds')
    .max(30, 'expected 1 to 30 seconds')
    .exactOptional(),
  reinvocationPolicy: z.enum(['Never', 'IfNeeded'], 'expected Never or IfNeeded').exactOptional(),
  deleting: z.boolean().exactOptional(),
  settings: z
    .custom<z.ZodObject>(value => value instanceof Object && 'shape' in value && 'safeParse' in value, {
      error: 'expected a z.object({ … })',
    })
    .exactOptional(),
  permissions: z.array(permissionSchema(), 'expected a list').exactOptional(),
  review: z.custom(value => typeof value === 'function', {
    error: 'missing: expected (request, lookup, settings) => outcome',
  }),
})

/** Returns the problems of the author's options, one sentence each: `target: expected one of seed, shoot, garden`. */
export const webhookProblems = (given: unknown): readonly string[] => {
  const parsed = shape.safeParse(given, { error: inOwnWords })
  if (!parsed.success) return issueTexts(shape, parsed.error.issues)
  const {
    action,
    target,
    failurePolicy,
    reinvocationPolicy,
    permissions = [],
    resources,
    namespaceSelector,
    objectSelector,
  } = parsed.data
  const names = resources.map(({ group, plural }) => `${plural}.${group}`)
  return [
    ...names.flatMap((name, index) =>
      names.indexOf(name) < index ? [`resources[${index}]: listed twice. Remove one`] : [],
    ),
    ...permissions.flatMap(({ verbs, subresource }, index) =>
      subresource !== undefined || verbs.some(verb => verb !== 'get' && verb !== 'list')
        ? [`permissions[${index}]: an admission function must not write: only get and list are possible`]
        : [],
    ),
    ...(action === 'validate' && reinvocationPolicy !== undefined
      ? ['reinvocationPolicy: only for mutate: a validation sees the result of all mutations']
      : []),
    ...(action === 'validate' && target === 'shoot' ? ['action: webhooks of shoots can only mutate'] : []),
    ...when(
      target === 'shoot' && failurePolicy === 'Fail' && !(namespaceSelector && objectSelector),
      "failurePolicy: the API server of a shoot must work when it cannot reach Trellis. Use Ignore, except for Gardener's objects that namespaceSelector and objectSelector separate from those of users",
    ),
  ]
}
