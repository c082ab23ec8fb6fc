import { describe, expect, test } from 'vitest'
import { seedProcessDeployment } from '../../build/project/project-deployment.ts'
import { deployedObjects } from '../../knative/knative.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readyObject } from '../sandbox/ready-object.ts'
import type { CheckedSeed } from './checked-seed.ts'
import { objectsOf } from './checked-seed.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { ReadName } from './reads.ts'
import { exitCodeOfReport, runChecks } from './run-checks.ts'
import { seedWith, testVersion } from './testing/good-seed.ts'

const key = 'trellis.gardener.cloud/version'

/** Returns the version of a program by its name; undefined removes the annotation. */
type VersionOf = (name: string) => string | undefined

/** Replaces the annotations of workloads as upgrades and users do. */
const withVersions = (objects: readonly KubernetesObject[], versionOf: VersionOf): KubernetesObject[] =>
  objects.map(object => {
    const version = versionOf(object.metadata.name)
    const { [key]: _, ...others } = object.metadata.annotations ?? {}
    const annotations = { ...others, ...(version !== undefined && { [key]: version }) }
    return { ...object, metadata: { ...object.metadata, annotations } }
  })

const workloads: readonly ReadName[] = ['deployments', 'services']

const seedOf = (versionOf: VersionOf, version = testVersion): CheckedSeed => {
  const good = seedWith()
  return seedWith(
    Object.fromEntries(workloads.map(read => [read, withVersions(objectsOf(good, read), versionOf)])),
    { version, rights: [] },
  )
}

const diagnosesOf = (seed: CheckedSeed): readonly Diagnosis[] =>
  runChecks(seed).find(({ area }) => area === 'versions')?.diagnoses ?? []

const count = workloads.reduce((sum, read) => sum + objectsOf(seedWith(), read).length, 0)
const except = (other: string | undefined, ...names: readonly string[]): VersionOf => {
  return name => (names.includes(name) ? other : testVersion)
}

test('programs of one version are fine, and the report names it', () => {
  expect(diagnosesOf(seedWith())).toEqual([
    {
      state: 'ok',
      text: `${count} of ${count} programs have version 1.2.3 (webhook, bridge, aws-backupbucket and ${count - 3} more)`,
    },
  ])
})

test('an installation from before the annotation has no report on versions', () => {
  expect(diagnosesOf(seedOf(() => undefined))).toEqual([])
})

describe('programs of several versions', () => {
  test('they are a warning that names each version, the newest first, and its programs', () => {
    const seed = seedOf(except('1.1.0', 'aws-dnsrecord', 'aws-worker'))
    expect(diagnosesOf(seed)).toEqual([
      {
        state: 'warning',
        text: `programs of 2 versions run together: 1.2.3 (webhook, bridge, aws-backupbucket and ${count - 5} more), 1.1.0 (aws-dnsrecord, aws-worker)`,
        advice:
          'finish the upgrade or the rollback: install all of them from the manifests, chart or registration of one version. Until then, these versions may run together (docs/support.md#upgrades-and-rollbacks)',
      },
    ])
    expect(exitCodeOfReport(runChecks(seed))).toBe(0)
  })

  test.each([
    ['bridge', 'bridge'],
    ['webhooks', 'webhook'],
    ['a function', 'oidc-extension'],
  ])('the version of the %s counts', (_, name) => {
    expect(diagnosesOf(seedOf(except('1.2.2', name)))).toEqual([
      expect.objectContaining({ state: 'warning', text: expect.stringContaining(`, 1.2.2 (${name})`) }),
    ])
  })

  test('a prerelease is older than its release', () => {
    const [found] = diagnosesOf(seedOf(except('1.2.3-rc.1', 'bridge')))
    expect(found?.text).toMatch(/: 1\.2\.3 \(.*\), 1\.2\.3-rc\.1 \(bridge\)$/)
  })

  test.each<[versions: readonly string[], state: Diagnosis['state']]>([
    [['0.4.0', '0.2.9'], 'warning'],
    [['0.4.0', '0.0.9'], 'problem'],
    [['1.12.0', '1.10.0'], 'warning'],
    [['1.12.0', '1.9.0'], 'problem'],
    [['1.3.0', '1.2.0', '1.1.0'], 'warning'],
    [['1.4.0', '1.3.0', '1.2.0', '1.1.0'], 'problem'],
    [['2.0.0', '1.9.0'], 'problem'],
    [['1.0.0', '0.9.0'], 'problem'],
  ])('%s together are a %s', (versions, state) => {
    const [newest = '', ...others] = versions
    const names = ['bridge', 'webhook', 'aws-worker']
    const versionOf: VersionOf = name => others[names.indexOf(name)] ?? newest
    expect(diagnosesOf(seedOf(versionOf, newest)).map(one => one.state)).toEqual([state])
  })

  test('versions that are too far apart advise to upgrade in steps, and fail the command', () => {
    const seed = seedOf(except('1.5.0', 'bridge'))
    expect(diagnosesOf(seed)).toEqual([
      {
        state: 'problem',
        text: `programs run together whose versions are too far apart: 1.5.0 (bridge), 1.2.3 (webhook, aws-backupbucket, aws-backupentry and ${count - 4} more)`,
        advice:
          'upgrade in steps of at most 2 minor versions, each for all programs (docs/support.md#upgrades-and-rollbacks)',
      },
    ])
    expect(exitCodeOfReport(runChecks(seed))).toBe(1)
  })
})

describe('programs without a valid version', () => {
  test('they are a warning if others have one, with the advice to install them again', () => {
    expect(diagnosesOf(seedOf(except(undefined, 'aws-dnsrecord', 'webhook')))).toEqual([
      { state: 'ok', text: expect.stringMatching(`^${count - 2} of ${count} programs have version 1.2.3 `) },
      {
        state: 'warning',
        text: `2 programs have no valid version in the annotation ${key}: webhook, aws-dnsrecord`,
        advice:
          'they are from a version before the annotation, or it was changed: install them again with version 1.2.3, from its manifests, chart or registration',
      },
    ])
  })

  test.each(['', 'latest', '1.x', '{"', '-1.0.0'])('the annotation %j is named with its program', text => {
    const found = diagnosesOf(seedOf(except(text, 'aws-dnsrecord')))
    expect(found.map(({ state }) => state)).toEqual(['ok', 'warning'])
    expect(found[1]?.text).toContain(`: aws-dnsrecord (${JSON.stringify(text)})`)
  })

  test('a version with very large numbers is only another version', () => {
    const found = diagnosesOf(seedOf(except('9'.repeat(400), 'aws-dnsrecord')))
    expect(found.map(({ state }) => state)).toEqual(['problem'])
  })

  test('the advice names the newest version in the seed, which the command may not have', () => {
    const seed = seedOf(name => (name === 'bridge' ? undefined : '1.3.0'))
    expect(diagnosesOf(seed).map(({ advice }) => advice)).toContainEqual(
      expect.stringContaining('install them again with version 1.3.0,'),
    )
  })

  test('if none of them is valid, the advice names the version of this command', () => {
    expect(diagnosesOf(seedOf(() => 'latest'))).toEqual([
      {
        state: 'warning',
        text: expect.stringMatching(`^${count} programs have no valid version .* and ${count - 5} more$`),
        advice: expect.stringContaining('install them again with version 1.2.3,'),
      },
    ])
  })
})

describe('the version of this command', () => {
  test.each([
    ['1.3.0', 'newer'],
    ['1.1.9', 'older'],
  ])('a seed of version %s is %s, and the advice has the command of its version', (version, age) => {
    expect(diagnosesOf(seedOf(() => version))).toEqual([
      expect.objectContaining({ state: 'ok' }),
      {
        state: 'warning',
        text: `the seed has version ${version}, which is ${age} than this command (1.2.3): the other checks compare it with 1.2.3`,
        advice: `use the same version: npx @trellis-gardener/trellis@${version} doctor; in a project of functions, npm install @trellis-gardener/trellis@${version} first`,
      },
    ])
  })

  test('it may be one of several versions in the seed', () => {
    const seed = seedOf(name => (name === 'bridge' ? '1.2.3' : '1.3.0'))
    expect(diagnosesOf(seed).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^programs of 2 versions run together/),
    ])
  })

  test('if it is none of several versions, the advice names the newest', () => {
    const seed = seedOf(name => (name === 'bridge' ? '1.1.0' : '1.3.0'))
    expect(diagnosesOf(seed).map(({ advice }) => advice)).toEqual([
      expect.stringMatching(/^finish the upgrade/),
      expect.stringContaining('npx @trellis-gardener/trellis@1.3.0 doctor;'),
    ])
  })

  test('without a version of its own, the command makes no claim about its age', () => {
    expect(diagnosesOf(seedOf(() => '1.3.0', 'unknown')).map(({ state }) => state)).toEqual(['ok'])
  })
})

describe('other workloads', () => {
  const revision: KubernetesObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'aws-dnsrecord-00001-deployment', namespace: 'trellis' },
    spec: { template: { spec: { containers: [{ name: 'function', env: [] }] } } },
  }

  test("the Deployments of Knative's revisions are not counted", () => {
    const deployments = [...objectsOf(seedWith(), 'deployments'), revision]
    expect(diagnosesOf(seedWith({ deployments }))).toEqual(diagnosesOf(seedWith()))
  })

  test('a failed read skips the check', () => {
    const areas = runChecks(seedWith({ services: { kind: 'forbidden' } }))
    expect(JSON.stringify(areas)).not.toContain('programs have version')
  })
})

const seedProcess = await seedProcessDeployment()

describe('the seed process', () => {
  const deployments = deployedObjects({ ...seedProcess, libraryVersion: testVersion })
    .filter(({ kind }) => kind === 'Deployment')
    .map(readyObject)
  const forbidden = { kind: 'forbidden' } as const

  test('its version is compared with that of the webhooks, without any read of Knative', () => {
    const seed = seedWith({ deployments, services: forbidden })
    expect(diagnosesOf(seed)).toEqual([
      { state: 'ok', text: '2 of 2 programs have version 1.2.3 (webhook, bridge)' },
    ])
    const mixed = withVersions(deployments, except('1.2.0', 'webhook'))
    expect(
      diagnosesOf(seedWith({ deployments: mixed, services: forbidden })).map(({ text }) => text),
    ).toEqual(['programs of 2 versions run together: 1.2.3 (bridge), 1.2.0 (webhook)'])
  })

  test('Services that are left of the other mode are not counted', () => {
    const seed = seedWith({ deployments })
    expect(objectsOf(seed, 'services').length).toBeGreaterThan(0)
    expect(diagnosesOf(seed).map(({ text }) => text)).toEqual([
      '2 of 2 programs have version 1.2.3 (webhook, bridge)',
    ])
  })
})
