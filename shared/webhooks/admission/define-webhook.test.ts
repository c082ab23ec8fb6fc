import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { DefinitionError } from '../../runtime/runtime.ts'
import { defineWebhook, isWebhookDefinition } from './admission.ts'
import { tinyWebhook } from './testing/tiny-webhook.ts'

const good = {
  name: 'controlplane',
  component: 'provider-tiny',
  action: 'mutate',
  target: 'seed',
  resources: [{ group: 'apps', versions: ['v1'], plural: 'deployments', kind: 'Deployment' }],
  review: () => ({}),
}

const errorOf = (change: object): DefinitionError => {
  try {
    defineWebhook({ ...good, ...change } as never)
  } catch (error) {
    if (error instanceof DefinitionError) return error
  }
  throw new Error('it is good')
}

const permission = (verbs: readonly string[], more = {}) => ({
  permissions: [
    {
      resource: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      verbs,
      why: 'because',
      ...more,
    },
  ],
})

describe('a definition', () => {
  test('a definition has defaults for omitted fields', () => {
    expect(tinyWebhook()).toMatchObject({
      failurePolicy: 'Fail',
      timeoutSeconds: 10,
      reinvocationPolicy: 'Never',
      deleting: false,
      permissions: [],
    })
    expect(tinyWebhook({ target: 'shoot' }).failurePolicy).toBe('Ignore')
  })

  test('a definition is recognized as one', () => {
    expect(isWebhookDefinition(tinyWebhook())).toBe(true)
    expect(isWebhookDefinition({ ...good })).toBe(false)
  })

  test('a definition knows its file and line', () => {
    expect(tinyWebhook().place?.file).toMatch(/tiny-webhook\.ts$/)
  })

  test.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name: missing: expected a name such as controlplane'],
    [
      'a name that is no part of a path',
      { name: 'a/b' },
      'name: "a/b" is not valid: expected lower-case letters',
    ],
    ['a long component', { component: `provider-${'x'.repeat(40)}` }, 'component: expected at most 38'],
    ['another action', { action: 'look' }, 'action: expected mutate or validate'],
    ['another target', { target: 'moon' }, 'target: expected one of seed, shoot, garden'],
    ['no resources', { resources: [] }, 'resources: expected at least one resource'],
    [
      'all groups',
      { resources: [{ group: '*', versions: ['v1'], plural: 'pods', kind: 'Pod' }] },
      'resources[0].group: expected one group: all groups would cause too many calls',
    ],
    [
      'a resource twice',
      { resources: [...good.resources, ...good.resources] },
      'resources[1]: listed twice. Remove one',
    ],
    [
      'values with Exists',
      { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
      'objectSelector.matchExpressions[0]: expected values for In and NotIn, and no values for other operators',
    ],
    [
      'a condition without an expression',
      { matchConditions: [{ name: 'types', expression: '' }] },
      'matchConditions[0].expression: expected an expression in CEL',
    ],
    [
      'a condition with a name that Kubernetes refuses',
      { matchConditions: [{ name: 'Own Types', expression: 'true' }] },
      'matchConditions[0].name: expected lower-case letters, digits and dashes',
    ],
    ['a long timeout', { timeoutSeconds: 31 }, 'timeoutSeconds: expected 1 to 30 seconds'],
    ['a write', permission(['patch']), 'permissions[0]: an admission function must not write'],
    [
      'a permission without a reason',
      permission(['get'], { why: '' }),
      'permissions[0].why: expected a sentence',
    ],
    ['a field of its own', { resource: 'pods' }, 'unknown field "resource": did you mean resources?'],
    ['no review', { review: undefined }, 'review: missing: expected (request, lookup, settings) => outcome'],
    [
      'a reinvoked validation',
      { action: 'validate', reinvocationPolicy: 'IfNeeded' },
      'reinvocationPolicy: only for mutate',
    ],
    [
      'a validation in shoots',
      { action: 'validate', target: 'shoot' },
      'action: webhooks of shoots can only mutate',
    ],
    [
      'a shoot that would stop',
      { target: 'shoot', failurePolicy: 'Fail' },
      'failurePolicy: the API server of a shoot',
    ],
  ])('an invalid definition is refused with file and line: %s', (_, change, message) => {
    const { problems } = errorOf(change)
    expect(problems[0]?.message).toContain(message)
    expect(problems[0]?.place?.file).toBe(fileURLToPath(import.meta.url))
    expect(problems[0]?.place?.line).toBeGreaterThan(1)
  })
})
