import { expect, test } from 'vitest'
import { deploymentCheck } from '../../health/health.ts'
import { deployments, secrets } from '../../kubernetes/core-resources.ts'
import { definitionProblems } from './definition-problems.ts'

const whole = { name: 'acme', kind: 'DNSRecord', type: ['acme'], create: () => ({}) }
const why = 'Reads health.'

test.each([
  [
    'a condition of a kind without read conditions',
    { ...whole, health: { conditions: [{ type: 'Fine', checks: [{ name: 'a', run: async () => {} }] }] } },
    'health.conditions[0].type: gardenlet reads no conditions of DNSRecords. For a condition of your own',
  ],
  [
    'a condition that gardenlet does not read',
    {
      ...whole,
      kind: 'Worker',
      health: {
        conditions: [{ type: 'APIServerAvailable', checks: [{ name: 'a', run: async () => {} }] }],
      },
    },
    'health.conditions[0].type: gardenlet does not read APIServerAvailable: expected one of',
  ],
  [
    'a condition that is made of nothing',
    { ...whole, kind: 'Worker', health: { conditions: [{ type: 'EveryNodeReady', checks: [] }] } },
    'health.conditions[0].checks',
  ],
  [
    'a health check that may not read',
    {
      ...whole,
      kind: 'Network',
      health: { conditions: [{ type: 'SystemComponentsHealthy', checks: [deploymentCheck('a')] }] },
    },
    'health.conditions[0], check "a": needs the permission to get deployments.apps',
  ],
  [
    'a health check of Secrets',
    {
      ...whole,
      kind: 'Network',
      health: {
        conditions: [
          {
            type: 'Fine',
            own: true,
            checks: [{ name: 'a', reads: [{ resource: secrets, name: 's' }], run: async () => {} }],
          },
        ],
      },
    },
    'expected a resource with namespaces, and not Secrets',
  ],
  [
    'reads of a kind without namespaces',
    {
      ...whole,
      kind: 'BackupEntry',
      permissions: [{ resource: deployments, verbs: ['get'], why }],
      health: { conditions: [{ type: 'SystemComponentsHealthy', checks: [deploymentCheck('a')] }] },
    },
    'BackupEntries have no namespace to read them in',
  ],
  [
    'a condition twice',
    {
      ...whole,
      kind: 'Worker',
      health: {
        conditions: ['a', 'b'].map(name => ({
          type: 'EveryNodeReady',
          checks: [{ name, run: async () => {} }],
        })),
      },
    },
    'health.conditions[1].type: EveryNodeReady is listed twice',
  ],
])('%s is refused', (_, given, problem) => {
  const problems = definitionProblems(given)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})
