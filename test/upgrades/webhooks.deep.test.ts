import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { reviewBody } from '../../sandbox/reviews/reviews.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { webhookPath } from '../../shared/webhooks/admission/admission.ts'
import { usualReviews } from '../recorded/reviews.ts'
import { configurations, postReview, registeredPath } from '../webhook/registered-webhook.ts'
import { type WebhookProcess, webhookProcesses } from '../webhook/webhook-process.ts'
import { type Checkout, checkOut, isInHistory } from './checkout.ts'
import { renamedAddress } from './version-programs.ts'
import { earlier, own, repository, type Version } from './versions.ts'

const component = 'provider-aws'
const core = (plural: string, namespaced: boolean) => ({ group: '', version: 'v1', plural, namespaced })
const present = new Map(
  await Promise.all(earlier.map(async version => [version, await isInHistory(version)] as const)),
)

describe.each([...earlier])('the webhooks of version $name', version => {
  describe.skipIf(!present.get(version))('(need its commit in the git history)', () => {
    let checkout: Checkout
    beforeAll(async () => {
      checkout = await checkOut(version)
    })
    afterAll(() => checkout.remove())

    /** Its replicas do not know the paths that the leader of this version has registered. */
    const unknown = { status: 404, allowed: undefined, patched: false }
    test.each([
      {
        title: 'are replaced by those of this version, and every replica answers what is registered',
        order: [version, own],
        second: undefined,
      },
      version.provesPaths
        ? {
            title: 'replace those of this version, and every replica answers what is registered',
            order: [own, version],
            second: undefined,
          }
        : {
            title: 'replace those of this version, and answer once these have ended',
            order: [own, version],
            second: unknown,
          },
    ])('$title', async ({ order, second: answerOfSecond }) => {
      const cluster = await startCluster()
      const start = (of: Version) => cluster.start(of, of.commit === undefined ? repository : checkout.folder)
      try {
        const [before, after] = order.map(of => () => start(of))
        const first = await before?.()
        const alone = await cluster.review(first)
        const second = await after?.()
        // A Service sends reviews to both.
        const together = [await cluster.review(first), await cluster.review(second)]
        const authority = await cluster.authority()
        first?.terminate()
        expect(await first?.exited).toEqual([0, null])
        const last = await cluster.review(second)
        expect([...together, last]).toEqual([alone, answerOfSecond ?? alone, alone])
        expect(alone).toMatchObject({ status: 200, allowed: true, patched: true })
        expect(await cluster.authority()).toBe(authority)
      } finally {
        await cluster.close()
      }
    })
  })
})

interface Answer {
  readonly status: number | undefined
  readonly allowed: unknown
  readonly patched: boolean
}

/** An API server with the objects of a recorded review, and replicas of webhooks on it. */
const startCluster = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-webhooks-'))
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...resourceCrds()] })
  const { url, close } = await server.listen()
  const processes = webhookProcesses()
  const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(url), { mode: 0o600 })
  const { cases, clusters } = usualReviews('controlplane.operatingsystemconfig')
  for (const namespace of new Set(['trellis', ...Object.keys(clusters)]))
    await kubernetes.create(core('namespaces', false), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })
  for (const cluster of Object.values(clusters)) await kubernetes.create(clusterKind.resource, cluster)
  const definition = (await findWebhooks()).find(
    one => one.component === component && one.name === 'controlplane',
  )
  const recorded = cases.find(one => one.response.allowed && one.response.patch !== undefined)
  if (definition === undefined || recorded === undefined) throw new Error('there is no review to send')
  const body = reviewBody(definition, recorded)
  const plain = webhookPath(definition)
  return {
    start: async (version: Version, sources: string): Promise<WebhookProcess> => {
      const started = processes.start(
        {
          TRELLIS_KUBECONFIG: kubeconfig,
          TRELLIS_COMPONENTS: component,
          TRELLIS_URL: 'https://127.0.0.1:9443',
          TRELLIS_LEADER_ELECTION: 'true',
          TRELLIS_SYNC_MS: '200',
          TRELLIS_DRAIN_ACCEPT_MS: '0',
          TRELLIS_DRAIN_LIMIT_MS: '1',
        },
        [...renamedAddress(version), join(sources, version.webhooks)],
      )
      await started.ports
      return started
    },
    /** Sends the review by the registered path to a replica, until it knows the path. */
    review: async (replica: WebhookProcess | undefined): Promise<Answer> => {
      const { port = 0 } = (await replica?.ports) ?? {}
      return post(port, await registeredPath(kubernetes, plain), body)
    },
    /** Returns the CAs that API servers trust. */
    authority: async (): Promise<string> =>
      JSON.stringify(
        (await kubernetes.list(configurations)).items.flatMap(({ webhooks }) =>
          [webhooks].flat().map(webhook => Object(Object(webhook).clientConfig).caBundle),
        ),
      ),
    close: async () => {
      await processes.killAll()
      await close()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const post = async (port: number, path: string, body: string): Promise<Answer> => {
  const { status, answer } = await postReview(port, path, body)
  const review = answer.startsWith('{') ? Object(JSON.parse(answer)).response : undefined
  return { status, allowed: Object(review).allowed, patched: Object(review).patch !== undefined }
}
