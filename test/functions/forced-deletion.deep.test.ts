import { existsSync, readFileSync } from 'node:fs'
import { StandardRetryStrategy } from '@smithy/core/retry'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createSteppedSeed, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { eventResource, KubernetesError, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { credentialsRefOf, kindRules, longestForcedMs } from '../../shared/lifecycle/lifecycle.ts'

const functions = (await findFunctions()).filter(({ kind }) => kindRules[kind].forceDelete !== 'none')
const namespace = 'shoot--garden--rose'
const confirmed = { annotations: { [annotations.forceDeletionConfirmation]: 'true' } }

/** Reads the recorded object of a function in deletion. Those of one kind differ only by their type. */
const recordedOf = ({ name, kind, types }: FoundFunction): KubernetesObject => {
  const fileOf = (start: string) => new URL(`../events/${start}-delete.json`, import.meta.url)
  const own = [name, name.replace(/^(?:aws|openstack)-/, '')].map(fileOf).find(existsSync)
  const { data } = JSON.parse(readFileSync(own ?? fileOf('gardenlinux-operatingsystemconfig'), 'utf8')) as {
    readonly data: KubernetesObject
  }
  const text = JSON.stringify(data).replaceAll(data.metadata.namespace ?? '', namespace)
  const { metadata, ...object } = JSON.parse(text) as KubernetesObject
  return {
    ...object,
    ...(name.startsWith('openstack-') && openstackFields(kind, object)),
    metadata: {
      name: metadata.name,
      namespace,
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      ...confirmed,
    },
    spec: {
      ...Object(name.startsWith('openstack-') ? openstackFields(kind, object).spec : object.spec),
      type: types[0],
    },
  }
}

/** The spec of an example of OpenStack, and the status as a function leaves it. */
const openstackFields = (kind: string, { status }: Omit<KubernetesObject, 'metadata'>) => {
  const example = openstackExamples.find(one => one.kind === kind)
  const { lastOperation, observedGeneration } = Object(status)
  const state = openstackStates[kind]
  return {
    spec: JSON.parse(JSON.stringify(example?.spec).replaceAll('shoot--garden--nova', namespace)) as object,
    status: { lastOperation, observedGeneration, ...(state && { state }), ...openstackZone(kind) },
  }
}

const openstackExamples = ['infrastructure', 'shoot-bastion', 'shoot-controlplane', 'shoot-worker'].flatMap(
  name =>
    parseAllDocuments(
      readFileSync(new URL(`../../examples/openstack/${name}.yaml`, import.meta.url), 'utf8'),
    ).map(document => document.toJS() as KubernetesObject),
)

const openstackStates: Readonly<Record<string, object | undefined>> = {
  Infrastructure: {
    apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'InfrastructureState',
    data: { Network: '0a000000-0000-4000-8000-000000000001', KeyPair: namespace },
  },
}

const openstackZone = (kind: string) =>
  kind === 'DNSRecord' && { zone: '0a000000-0000-4000-8000-00000000000a' }

type Trouble = 'refuses' | 'throttles' | 'never answers'

/** Waits without an end, until the test ends. The clock advances only in steps of a second. */
const hangOn = (clock: VirtualClock, isOver: () => boolean) => async (): Promise<never> => {
  while (!isOver()) await clock.sleep(1_000)
  throw new Error('the test has ended')
}

/** The clouds of all providers, in trouble. */
const connectionIn = (trouble: Trouble, clock: VirtualClock, fail: () => Promise<never>) => {
  const aws = createAws({ clock })
  if (trouble !== 'never answers')
    aws.faults.add({
      times: null,
      effect:
        trouble === 'throttles'
          ? { kind: 'throttle' }
          : { kind: 'error', code: 'InternalFailure', status: 500 },
    })
  return {
    requestHandler: trouble === 'never answers' ? { handle: fail } : aws.requestHandler,
    retryStrategy: new StandardRetryStrategy({
      maxAttempts: 1,
      backoff: { computeNextBackoffDelay: () => 0, setDelayBase: () => {} },
    }),
    providerCluster: { get: fail, list: fail, apply: fail, delete: fail },
    nameServer: { udp: fail, tcp: fail },
    authUrl: 'http://openstack.test/v3',
    send:
      trouble === 'never answers'
        ? fail
        : async () => ({
            status: trouble === 'throttles' ? 429 : 403,
            headers: {},
            body: '{"error":{"title":"Forbidden","message":"not you"}}',
          }),
  }
}

/** Runs the forced deletion of a function's object, with a cloud and an API server in trouble. */
const forcedDeletion = async (definition: FoundFunction, trouble: Trouble, where: 'cloud' | 'everything') => {
  const clock = virtualClock(Date.parse('2026-01-01T06:00:00Z'))
  const object = recordedOf(definition)
  const { resource } = kinds[definition.kind]
  const key = { name: object.metadata.name, namespace }
  let isOver = false
  const seed = createSteppedSeed({
    definition,
    objects: shootObjects({
      namespace,
      shoot: { metadata: { name: 'rose', ...confirmed }, status: { technicalID: namespace } },
      secrets: {
        [credentialsRefOf(object)?.name ?? 'cloudprovider']: {
          accessKeyID: 'AKIAEXAMPLE',
          secretAccessKey: 'planted',
          kubeconfig: '{}',
          domainName: 'acme',
          tenantName: 'shoots',
          username: 'gardener',
          password: 'planted',
          authURL: 'http://openstack.test/v3',
        },
      },
    }),
    clock,
    connection: connectionIn(trouble, clock, () => failIn()),
    waits: 'advance',
    others: async () => {},
  })
  const hang = hangOn(seed.clock, () => isOver)
  const failIn = async (): Promise<never> => {
    if (trouble === 'never answers') return hang()
    throw trouble === 'refuses'
      ? new KubernetesError(403, 'Forbidden', 'not you')
      : new KubernetesError(429, 'TooManyRequests', 'later')
  }
  const isOwn = (of: string) =>
    [resource.plural, `${resource.plural}/status`, 'clusters', 'namespaces', 'events'].includes(of)
  if (where === 'everything')
    seed.interfereWith({
      before: ({ verb, resource: of }) => (isOwn(of) && verb !== 'list' ? undefined : failIn()),
    })
  const { status, ...made } = object
  await seed.kubernetes.create(resource, made)
  await seed.kubernetes.patch(resource, key, { status }, { subresource: 'status' })
  const one = seed.object(key)
  await one.delete()
  const began = clock.now()
  await one.run({
    longestPauseMs: Number.POSITIVE_INFINITY,
    mostSteps: 200,
    until: () => clock.now() - began > 1_200_000,
  })
  const took = clock.now() - began
  isOver = true
  const { items } = await seed.kubernetes.list(eventResource, { namespace })
  return {
    left: await one.live(),
    took,
    events: items as readonly { readonly message?: string }[],
    writes: seed.writes(),
    requests: seed.requests,
    lines: seed.lines,
    key,
    plural: resource.plural,
  }
}

/** The deletion is over with the last write of its last step. */
const marginMs = 15_000

describe.each(functions.map(one => [one.name, one] as const))('a forced deletion by %s', (_, definition) => {
  test.each(
    (['refuses', 'throttles', 'never answers'] as const).flatMap(trouble =>
      (['cloud', 'everything'] as const).map(where => [where, trouble] as const),
    ),
  )('ends within its time if the %s %s, and names what may remain', async (where, trouble) => {
    const { left, took, events, writes, requests, lines, key, plural } = await forcedDeletion(
      definition,
      trouble,
      where,
    )
    expect(left, JSON.stringify(left?.status)).toBeUndefined()
    expect(took).toBeLessThanOrEqual(longestForcedMs + marginMs)
    expect(writes.at(-1)).toBe(`patch ${plural} ${key.name}`)
    const lastStatus = JSON.stringify(
      requests.filter(({ resource }) => resource.endsWith('/status')).at(-1)?.body,
    )
    const incomplete = lines.find(({ message }) => message === 'forced deletion is incomplete')
    if (incomplete === undefined) {
      expect(lastStatus).toMatch(/"Succeeded"/)
      expect(lastStatus).not.toMatch(/may still exist/)
      expect(events).toEqual([])
      return
    }
    const [first] = String(incomplete.mayExist).split(/, | and \d+ more/)
    expect(first).toMatch(/\w+ \S*\w/)
    expect(lastStatus).toContain(first)
    expect(events).toMatchObject([
      {
        reason: 'Orphaned',
        involvedObject: { name: key.name },
        message: expect.stringContaining(String(first)),
      },
    ])
    expect(JSON.stringify([lastStatus, events, lines])).not.toContain('planted')
  })

  test('writes only to its object if everything refuses', async () => {
    const { writes, key, plural } = await forcedDeletion(definition, 'refuses', 'everything')
    const own = [`patch ${plural} ${key.name}`, `patch ${plural}/status ${key.name}`]
    expect(writes.filter(write => !own.includes(write) && !write.startsWith('create events '))).toEqual([])
  })
})
