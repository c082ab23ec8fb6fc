import { expect, test } from 'vitest'
import { seedProcessDeployment } from '../../build/project/project-deployment.ts'
import { deployedObjects } from '../../knative/knative.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readyObject } from '../sandbox/ready-object.ts'
import { exitCodeOfReport, runChecks } from './run-checks.ts'
import { asked, record } from './testing/broken-objects.ts'
import { installedOne, type SeedChanges, seedWith, testVersion } from './testing/good-seed.ts'
import { isOfWebhooks, saidOf } from './testing/said-of.ts'

const installed = deployedObjects({
  ...(await seedProcessDeployment()),
  libraryVersion: testVersion,
  extensions: ['provider-aws'],
  image: program => `registry.example.org/trellis/${program}:1`,
}).map(readyObject)
const deployments = installed.filter(({ kind }) => kind === 'Deployment')
const absent = { kind: 'absent' } as const

const definitions = seedWith().reads.definitions
const withoutKnative: SeedChanges = {
  brokers: absent,
  channels: absent,
  triggers: absent,
  services: absent,
  sinkBindings: absent,
  definitions: {
    kind: 'objects',
    complete: true,
    objects: (definitions.kind === 'objects' ? definitions.objects : []).filter(
      ({ metadata }) => !metadata.name.endsWith('knative.dev'),
    ),
  },
  deployments,
}
const seed = (changes: SeedChanges = {}) => seedWith({ ...withoutKnative, ...changes })

/** Returns the Deployments with other variables of the seed process; undefined removes one. */
const withVariables = (variables: Readonly<Record<string, string | undefined>>, name = 'bridge') =>
  structuredClone(deployments).map((deployment): KubernetesObject => {
    if (deployment.metadata.name !== 'bridge') return deployment
    const { spec } = deployment as never as {
      spec: { template: { spec: { containers: { env: { name: string; value?: string }[] }[] } } }
    }
    const [container] = spec.template.spec.containers
    const env = (container?.env ?? []).filter(one => !(one.name in variables))
    for (const [variable, value] of Object.entries(variables))
      if (value !== undefined) env.push({ name: variable, value })
    if (container !== undefined) container.env = env
    return { ...deployment, metadata: { ...deployment.metadata, name } }
  })

test('--wake says in one line that the seed process has no Services', () => {
  const linesOf = (changed: ReturnType<typeof seed>) =>
    saidOf(changed, 'ok').filter(({ text }) => text.startsWith('--wake is only for functions with Services'))
  expect(linesOf({ ...seed(), woken: new Map() })).toHaveLength(1)
  expect(linesOf(seed())).toEqual([])
})

test('a seed process without Knative has no problem, no skipped check, and all permissions in one account', () => {
  expect(saidOf(seed(), 'problem')).toEqual([])
  expect(saidOf(seed(), 'skipped')).toEqual([])
  expect(saidOf(seed(), 'warning').filter(one => !isOfWebhooks(one))).toEqual([])
  expect(exitCodeOfReport(runChecks(seed()))).toBe(0)
  expect(new Set(seed().rights.map(({ account }) => account))).toEqual(new Set(['bridge', 'webhook']))
  expect(seed().rights).toContainEqual(
    expect.objectContaining({ account: 'bridge', resource: 'dnsrecords/status', verb: 'patch' }),
  )
  expect(saidOf(seed(), 'ok').map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^(\d+) of the \1 functions of this version are in the seed process$/),
  )
})

test('a seed without Knative and without Trellis gets the advice to use the seed process', () => {
  const advice = saidOf(seed({ deployments: [] }), 'problem').map(one => one.advice)
  expect(advice).toContainEqual(
    expect.stringMatching(/^install Knative Serving: .*, or run without Knative: trellis install --mode/),
  )
})

test('a missing permission names the account of the seed process', () => {
  const { rights } = seed()
  const denied = rights.map(right => ({ ...right, allowed: !right.resource.startsWith('dnsrecords') }))
  const problems = saidOf(seedWith(withoutKnative, { rights: denied }), 'problem')
  expect(problems.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^the ServiceAccount bridge may not get dnsrecords/),
  ])
})

test('objects of the other mode are a warning with the commands that delete them', () => {
  const left = seed({
    triggers: [installedOne('triggers', 'aws-dnsrecord')],
    services: [installedOne('services', 'aws-dnsrecord')],
    brokers: [installedOne('brokers', 'default')],
    sinkBindings: [],
  })
  expect(saidOf(left, 'problem')).toEqual([])
  expect(saidOf(left, 'warning').filter(one => !isOfWebhooks(one))).toEqual([
    {
      state: 'warning',
      text: 'objects of the mode knative are left beside the seed process, which does not use them: 1 trigger, 1 ksvc, 1 broker',
      advice:
        'kubectl -n trellis delete trigger aws-dnsrecord; kubectl -n trellis delete ksvc aws-dnsrecord; kubectl -n trellis delete broker default',
    },
  ])
})

test.each<[what: string, changes: SeedChanges, problem: RegExp, advice: RegExp]>([
  [
    'a SinkBinding',
    { sinkBindings: [installedOne('sinkBindings', 'bridge')] },
    /the SinkBinding bridge gives the seed process the address of a Broker/,
    /^kubectl -n trellis delete sinkbinding bridge$/,
  ],
  [
    'the address that a SinkBinding has left',
    { deployments: withVariables({ K_SINK: 'http://broker' }) },
    /the Deployment bridge has K_SINK, so the seed process does not start/,
    /^kubectl -n trellis set env deployment\/bridge K_SINK-$/,
  ],
  [
    'programs that are not JSON',
    { deployments: withVariables({ TRELLIS_PROGRAMS: '[{' }) },
    /TRELLIS_PROGRAMS of the seed process is not a list of programs/,
    /apply its Deployment again/,
  ],
  [
    'a function with other types',
    {
      deployments: withVariables({
        TRELLIS_PROGRAMS: JSON.stringify([
          {
            name: 'aws-compact',
            functions: [{ name: 'aws-dnsrecord', kind: 'DNSRecord', types: ['aws-old'] }],
          },
        ]),
      }),
    },
    /has another kind or other types than this version for aws-dnsrecord/,
    /the image seed of the same release/,
  ],
  [
    'the bridges of both modes',
    { deployments: [...deployments, ...withVariables({ TRELLIS_PROGRAMS: undefined }, 'trellis-bridge')] },
    /the Deployments of two modes run at once: trellis-bridge with Knative, bridge without/,
    /kubectl -n trellis delete deployment trellis-bridge/,
  ],
])('%s is a problem with its advice', (_, changes, text, advice) => {
  const problems = saidOf(seed(changes), 'problem')
  expect(problems).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(text), advice: expect.stringMatching(advice) }),
  )
})

test('objects of a type without a function are reported without a word about Triggers', () => {
  const foreign = seed({ DNSRecord: [record({ annotations: asked }, 'google-clouddns')] })
  expect(saidOf(foreign, 'warning').map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/and Trellis does not serve it/),
  )
})

test('the advice on a seed process that is not ready finds a program that does not start', () => {
  const unready = structuredClone(deployments).map(one => ({ ...one, status: {} }))
  const advice = saidOf(seed({ deployments: unready }), 'problem').map(one => one.advice)
  expect(advice).toContainEqual(
    expect.stringMatching(/logs deployment\/bridge \| grep "program does not start"$/),
  )
})
