import { expect, onTestFinished, test } from 'vitest'
import { runAction } from '../../cli/act/run-action.ts'
import { readSeed, seedStatus, statusAsText, unpainted } from '../../cli/observe/observe.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { serveObjects } from './testing/worker-seed.ts'

const { signal } = new AbortController()
const day = '2026-11-21'
const waiting = (attempt: number, until: string) =>
  formatStepAnnotation({
    ...{ phase: 'waiting', operation: 'reconcile', attempt, request: '', generation: 1, was: '' },
    ...{ until: `${day}T${until}:00.000Z`, durationMs: 60_000, event: 'e' },
  })

const cluster = (shoot: string, state: string): KubernetesObject => ({
  ...{ apiVersion, kind: 'Cluster', metadata: { name: `shoot--garden--${shoot}`, uid: shoot } },
  spec: {
    shoot: {
      metadata: { name: shoot, namespace: 'garden-garden' },
      status: {
        lastOperation: { type: 'Reconcile', state, lastUpdateTime: `${day}T00:50:00Z`, description: 'no' },
      },
    },
  },
})

const extension = (
  kind: string,
  shoot: string,
  state: string,
  own: Readonly<Record<string, string>> = {},
) => ({
  ...{ apiVersion, kind },
  metadata: {
    name: shoot,
    namespace: `shoot--garden--${shoot}`,
    uid: `${kind}-${shoot}`,
    generation: 1,
    resourceVersion: '5',
    annotations: own,
  },
  spec: { type: 'aws' },
  status: {
    observedGeneration: 1,
    lastOperation: {
      ...{ type: 'Reconcile', state, progress: 50, description: 'no quota' },
      lastUpdateTime: `${day}T00:50:00Z`,
    },
    ...(state === 'Error' && { lastError: { description: 'no quota', lastUpdateTime: `${day}T00:50:00Z` } }),
  },
})

const seedAt = (time: string, objects: readonly KubernetesObject[]) => {
  const clock = virtualClock(Date.parse(`${day}T${time}:00Z`))
  const { server, kubernetes: sandbox } = serveObjects(clock, objects)
  const kubernetes: Kubernetes = {
    ...sandbox,
    // The API server of the sandbox knows one user.
    create: async (resource, object, options) =>
      resource.plural === 'selfsubjectreviews'
        ? { ...object, status: { userInfo: { username: 'dave@example.com' } } }
        : sandbox.create(resource, object, options),
  }
  onTestFinished(() => server.close())
  return {
    clock,
    kubernetes,
    status: async () => {
      const view = await readSeed({ kubernetes, clock, signal })
      return statusAsText(seedStatus(view), view.at, unpainted)
    },
    act: async (
      action: 'pause' | 'resume' | 'retry' | 'reconcile',
      target: string,
      more: object = {},
      agrees = false,
    ) => {
      const lines: string[] = []
      const code = await runAction(
        { action, target, ...more },
        {
          ...{ kubernetes, clock, user: 'dave@example.com', signal: () => signal },
          print: text => void lines.push(text),
          confirm: async () => agrees,
        },
      )
      return { code, text: lines.join('') }
    },
  }
}

test('5: who paused a shoot, until when, and what happens then', async () => {
  const record = extension('DNSRecord', 'rose', 'Succeeded', { [annotations.step]: waiting(0, '00:50') })
  const seed = seedAt('01:00', [
    cluster('rose', 'Succeeded'),
    cluster('tulip', 'Failed'),
    extension('Infrastructure', 'rose', 'Error', { [annotations.step]: waiting(3, '00:51') }),
    record,
    extension('Infrastructure', 'tulip', 'Error', { [annotations.step]: waiting(3, '00:51') }),
  ])
  await seed.act('pause', 'shoot--garden--rose', { until: `${day}T06:00:00Z` }, true)
  await seed.clock.advance(70 * 60_000)
  await seed.kubernetes.patch(kinds.DNSRecord.resource, record.metadata, {
    metadata: {
      annotations: {
        [annotations.operation]: 'reconcile',
        [annotations.timestamp]: new Date(seed.clock.now()).toISOString(),
      },
    },
  })
  await seed.clock.advance(50 * 60_000)
  const status = await seed.status()
  const [rose = '', tulip = ''] = status.split(/(?=✗ Shoot garden-garden\/tulip)/)
  expect(rose).toContain(
    `why: paused until 06:00:00Z by dave@example.com since ${day}T01:00:00Z; then it goes on by itself\n`,
  )
  expect(rose).toContain('    run: trellis resume shoot--garden--rose\n')
  expect(rose).toContain('The request to reconcile of 02:10:00Z is kept')
  expect(rose).not.toMatch(/stuck|trellis retry/)
  expect(tulip).toContain('kubectl -n garden-garden annotate shoot tulip gardener.cloud/operation=retry')
  expect(tulip).not.toMatch(/resume|trellis retry|stuck/)

  await seed.clock.advance(3 * 3_600_000 + 60_000)
  const [after = ''] = (await seed.status()).split('✗ Shoot garden-garden/tulip')
  expect(after).toContain('its time is over')
  expect(after).not.toMatch(/paused until|stuck/)
  expect(after.match(/a step is due since 60 s/g)).toHaveLength(2)
})

test('6: what a pause stops, and what it does not', async () => {
  const claim = formatStepAnnotation({
    ...{ phase: 'claimed', operation: 'reconcile', attempt: 0, request: '', generation: 1, was: '' },
    ...{ until: `${day}T03:01:15.000Z`, durationMs: 75_000, event: 'e' },
  })
  const seed = seedAt('03:00', [
    cluster('one-zone', 'Processing'),
    extension('Infrastructure', 'one-zone', 'Processing', { [annotations.step]: claim }),
  ])
  const object = 'Infrastructure/shoot--garden--one-zone/one-zone'
  const dated = await seed.act('pause', 'shoot--garden--one-zone', { until: '06:00Z' })
  expect(dated.code).toBe(2)
  expect(dated.text).toContain(
    `✎ Shoot shoot--garden--one-zone: no step starts until ${day}T06:00:00Z; a running one ends, and none follows\n`,
  )
  expect(dated.text).toContain(
    `- ${object}: a step is running, until 03:01:15Z at the latest: it may write until then\n`,
  )
  expect(dated.text).toMatch(
    /Not paused: the machine controller and the autoscaler.*gardenlet, which reports a timeout/,
  )
  expect(dated.text).toContain('Nothing was written.')
  expect(dated.text).not.toMatch(/nothing changes/i)
  const undated = await seed.act('pause', 'shoot--garden--one-zone')
  expect(undated.text).toContain('no step starts until 2026-11-22T03:00:00Z')
  expect(await seed.status()).not.toContain('paused')
})

test('8: a retry ends a backoff, and says who can retry what a failed shoot holds', async () => {
  const seed = seedAt('03:00', [
    ...['rose', 'tulip'].flatMap(shoot => [
      cluster(shoot, shoot === 'tulip' ? 'Failed' : 'Error'),
      extension('Infrastructure', shoot, 'Error', { [annotations.step]: waiting(10, '03:12') }),
    ]),
  ])
  const backoff = await seed.act('retry', 'shoot--garden--rose')
  expect(backoff.text).toContain(
    '✎ Infrastructure/shoot--garden--rose/rose: ends the wait of 12 m after the error "no quota" (it would retry by itself at 03:12:00Z), reconciles at once\n',
  )
  const held = await seed.act('retry', 'shoot--garden--tulip', {}, true)
  expect(held).toEqual({
    code: 0,
    text: '- Infrastructure/shoot--garden--tulip/tulip: its shoot has failed, which holds it. Retry the shoot: kubectl -n garden-garden annotate shoot tulip gardener.cloud/operation=retry # in the garden\nNothing to retry.\n',
  })
  expect(backoff.text + held.text).not.toMatch(/started|operation=retry on/)
  const done = await seed.act('retry', 'shoot--garden--rose', {}, true)
  expect(done.text).toContain('✓ Infrastructure/shoot--garden--rose/rose')
  const live = await seed.kubernetes.get(kinds.Infrastructure.resource, {
    name: 'rose',
    namespace: 'shoot--garden--rose',
  })
  expect(live?.metadata.annotations?.[annotations.operation]).toBe('reconcile')
})
