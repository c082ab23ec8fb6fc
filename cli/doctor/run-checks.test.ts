import { describe, expect, test } from 'vitest'
import { compactDeployment } from '../../build/project/project-deployment.ts'
import { deployedObjects } from '../../knative/knative.ts'
import { readyObject } from '../sandbox/ready-object.ts'
import { reportAsText, reportForPrograms } from './output.ts'
import { exitCodeOfReport, runChecks } from './run-checks.ts'
import { allOfAws, asked, goExtension, record, step } from './testing/broken-objects.ts'
import { seedWith, testVersion } from './testing/good-seed.ts'
import { isOfWebhooks, saidOf } from './testing/said-of.ts'

describe('a seed without problems', () => {
  test('it has no problems, and no skipped checks', () => {
    const seed = seedWith()
    expect(saidOf(seed, 'problem')).toEqual([])
    expect(saidOf(seed, 'skipped')).toEqual([])
    expect(saidOf(seed, 'warning').filter(one => !isOfWebhooks(one))).toEqual([])
    expect(exitCodeOfReport(runChecks(seed))).toBe(0)
  })

  test('it may have one Service for all functions of a provider', async () => {
    const objects = deployedObjects({
      ...(await compactDeployment()),
      libraryVersion: testVersion,
      image: program => `registry.example.org/trellis/${program}:1`,
    }).map(readyObject)
    const of = (kind: string, group: string) =>
      objects.filter(object => object.kind === kind && object.apiVersion.startsWith(group))
    const seed = seedWith({
      triggers: of('Trigger', 'eventing'),
      services: of('Service', 'serving'),
      deployments: of('Deployment', 'apps'),
    })
    expect(saidOf(seed, 'problem')).toEqual([])
    expect(new Set(seed.rights.map(({ account }) => account))).toContain('aws-compact')
    expect(saidOf(seed, 'ok').map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^(\d+) of the \1 functions of this version are deployed$/),
    )
  })

  test('it may have the Go extension with disabled controllers for the same kinds', () => {
    const extensionDeployments = [goExtension([`--disable-controllers=${allOfAws}`]), goExtension([], 0)]
    expect(saidOf(seedWith({ extensionDeployments }), 'problem')).toEqual([])
  })

  test('it may have objects that wait for their due time', () => {
    const DNSRecord = [
      record({ annotations: step({ until: '2026-11-21T12:10:00.000Z' }) }),
      record({ annotations: { ...asked, 'gardener.cloud/timestamp': '2026-11-21T11:59:00Z' } }),
    ]
    expect(saidOf(seedWith({ DNSRecord }), 'problem')).toEqual([])
  })
})

describe('a read that failed', () => {
  test('it is one line for all checks that need it, and names the missing permission', () => {
    const seed = seedWith({
      triggers: { kind: 'forbidden' },
      leases: { kind: 'failed', why: 'no answer' },
      heartbeats: { kind: 'failed', why: 'too slow' },
    })
    expect(saidOf(seed, 'skipped').map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^\d\d checks \(broker, functions, bridge, other extensions\): you may not list triggers.eventing.knative.dev$/,
      ),
      '2 checks (bridge, clocks): no answer',
      'heartbeats for gardenlet: too slow',
    ])
    expect(saidOf(seed, 'warning').map(({ text }) => text)).toContain(
      'you may not list triggers.eventing.knative.dev: the checks that need it are skipped',
    )
    expect(saidOf(seed, 'problem')).toEqual([])
  })

  test('without Knative, it is one line with two advices, and counts as several checks', () => {
    const gone = { kind: 'absent' } as const
    const { definitions } = seedWith().reads
    const seed = seedWith({
      brokers: gone,
      triggers: gone,
      services: gone,
      sinkBindings: gone,
      definitions: {
        kind: 'objects',
        complete: true,
        objects: (definitions.kind === 'objects' ? definitions.objects : []).filter(
          ({ metadata }) => !metadata.name.endsWith('knative.dev'),
        ),
      },
    })
    expect(saidOf(seed, 'problem').map(({ advice }) => advice)).toEqual([
      expect.stringMatching(/^install Knative Eventing/),
      expect.stringMatching(/^install Knative Serving/),
    ])
    expect(saidOf(seed, 'skipped')).toMatchObject([
      {
        text: expect.stringMatching(/the API server has no brokers.eventing.knative.dev, .*services.serving/),
      },
    ])
    const text = reportAsText(runChecks(seed), false)
    expect(text.match(/knative\.dev/g)?.length).toBeLessThan(15)
    expect(text.match(/ {2}\? /g)).toHaveLength(1)
    expect(text).toMatch(/, \d\d checks skipped\.\n$/)
  })

  test('permissions that could not be checked cause no claim', () => {
    const { rights } = seedWith()
    const seed = seedWith({}, { rights: rights.map(right => ({ ...right, allowed: undefined })) })
    expect(saidOf(seed, 'problem')).toEqual([])
    expect(saidOf(seed, 'skipped').map(({ advice }) => advice)).toEqual([
      'you need the permission: create subjectaccessreviews.authorization.k8s.io',
    ])
  })
})

describe('the report', () => {
  const report = runChecks(seedWith({ brokers: [], heartbeats: { kind: 'forbidden' } }))

  test('it is a list by area, with the advice below each problem', () => {
    const text = reportAsText(report, false)
    expect(text).toMatch(/^API server\n {2}✓ it answers/)
    expect(text).toMatch(
      /^broker\n {2}✗ the Broker default is missing, but Triggers refer to it\n {4}→ apply/m,
    )
    expect(text).toMatch(/^ {2}\? heartbeats for gardenlet: you may not list leases/m)
    expect(text).toMatch(/\n\n1 problem, \d+ warnings?, 1 check skipped\.\n$/)
    expect(text).not.toContain('\u001b')
    expect(reportAsText(report, true)).toContain('\u001b[31m✗')
  })

  test('it is JSON for programs', () => {
    const { ok, areas } = reportForPrograms(report)
    expect(ok).toBe(false)
    expect(areas.find(({ area }) => area === 'broker')?.diagnoses).toContainEqual(
      expect.objectContaining({ state: 'problem', advice: expect.stringContaining('trellis/default') }),
    )
    expect(exitCodeOfReport(report)).toBe(1)
  })
})
