import { generateKeyPairSync } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import { expect } from 'vitest'
import { type ApiServer, createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { type Clock, type VirtualClock, virtualClock } from '../../../clock/clock.ts'
import { resourceCrds } from '../../../contract/crds/crd-of.ts'
import { namespaces } from '../../../kubernetes/core-resources.ts'
import { createKubernetes, type Kubernetes } from '../../../kubernetes/kubernetes.ts'
import type { Leadership } from '../../../leadership/leadership.ts'
import type { WebhookConfiguration, WebhookDefinition } from '../../admission/admission.ts'
import { webhookSettings } from '../process/settings.ts'
import { pathsIn } from '../registration/cluster-paths.ts'
import { type RunningWebhooks, type StartOptions, startWebhooks } from '../start.ts'

export const namespace = 'trellis'
export const dayMs = 86_400_000

export const configurations = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
} as const

/** The shortest keys that OpenSSL accepts. The tests are about trust, not key strength. */
export const createShortKeyPair = async () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: object
}

export interface Answered {
  readonly status: number
  readonly body: string
}

/**
 * An API server, and replicas of the process that answer its reviews. The test advances the clock for certificates.
 */
export interface WebhookSeed {
  readonly clock: VirtualClock
  readonly server: ApiServer
  readonly kubernetes: Kubernetes
  readonly log: readonly LogLine[]
  /** The write requests to the API server. */
  readonly writes: string[]
  readonly start: (options?: ReplicaOptions) => Promise<RunningWebhooks>
  readonly configuration: (name?: string) => Promise<WebhookConfiguration | undefined>
  /**
   * Returns the path of a webhook in the configurations: `/tiny/tiny` with its proof. Without one, returns the path
   * unchanged.
   */
  readonly named: (path: string) => Promise<string>
  /**
   * Sends a review to the path in the configurations, like an API server. Rejects if the CA bundle there does not trust
   * the certificate.
   */
  readonly ask: (
    replica: Pick<RunningWebhooks, 'port'>,
    path: string,
    body: string,
    options?: { readonly ca?: string; readonly servername?: string },
  ) => Promise<Answered>
  readonly trusted: (name?: string) => Promise<string>
  readonly close: () => Promise<void>
}

export interface ReplicaOptions
  extends Partial<Pick<StartOptions, 'leadership' | 'openShoot' | 'kubernetes' | 'target'>> {
  readonly definitions?: readonly WebhookDefinition[]
  readonly settings?: Readonly<Record<string, unknown>>
  readonly clock?: Clock
}

export const following: Leadership = { leading: () => false, run: async () => undefined }

export const newWebhookSeed = async (
  definitions: readonly WebhookDefinition[],
  start = Date.now() - 25 * dayMs,
): Promise<WebhookSeed> => {
  const clock = virtualClock(start)
  const server = createApiServer({ clock, objects: resourceCrds() })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  const lines: LogLine[] = []
  const writes: string[] = []
  const observed: Kubernetes = {
    ...kubernetes,
    create: (resource, object, options) => {
      writes.push(`create ${resource.plural}`)
      return kubernetes.create(resource, object, options)
    },
    patch: (resource, key, patch, options) => {
      writes.push(`patch ${resource.plural} ${key.name}`)
      return kubernetes.patch(resource, key, patch, options)
    },
    delete: (resource, key, options) => {
      writes.push(`delete ${resource.plural}`)
      return kubernetes.delete(resource, key, options)
    },
  }
  const line =
    (level: string) =>
    (message: string, fields: object = {}): void =>
      void lines.push({ level, message, fields })
  const replicas = new Set<RunningWebhooks>()
  const configuration = async (
    name = 'gardener-extension-provider-tiny',
  ): Promise<WebhookConfiguration | undefined> =>
    (await kubernetes.get(configurations, { name })) as WebhookConfiguration | undefined
  const named = async (path: string): Promise<string> => {
    const { items } = await kubernetes.list(configurations)
    return (
      items
        .flatMap(pathsIn)
        .find(one => /^\/[0-9a-f]{64}$/.test(one.slice(path.length)) && one.startsWith(path)) ?? path
    )
  }
  const trusted = async (name?: string): Promise<string> =>
    Buffer.from((await configuration(name))?.webhooks?.[0]?.clientConfig.caBundle ?? '', 'base64').toString()
  return {
    clock,
    server,
    kubernetes,
    log: lines,
    writes,
    configuration,
    trusted,
    start: async ({ settings, ...options } = {}) => {
      const replica = await startWebhooks({
        definitions,
        settings: {
          ...webhookSettings.parse({ address: '127.0.0.1', port: 0, probePort: 0, drainAcceptMs: 0 }),
          colour: 'green',
          ...settings,
        },
        kubernetes: observed,
        target: observed,
        openShoot: () => Promise.reject(new Error('there is no shoot')),
        clock,
        log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
        createKeyPair: createShortKeyPair,
        ...options,
      })
      replicas.add(replica)
      return replica
    },
    named,
    ask: async ({ port }, webhook, body, { ca, servername } = {}) => {
      const trust = ca ?? (await trusted())
      const path = await named(webhook)
      return new Promise<Answered>((resolve, reject) => {
        const request = httpsRequest(
          {
            host: '127.0.0.1',
            port,
            path,
            method: 'POST',
            ca: trust,
            servername: servername ?? `gardener-extension-provider-tiny.${namespace}.svc`,
            headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
            agent: false,
          },
          response => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('end', () =>
              resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
            )
          },
        )
        request.on('error', reject)
        request.end(body)
      })
    },
    close: async () => {
      const closing = [...replicas].map(replica => replica.close())
      let closed = false
      void Promise.all(closing).then(() => {
        closed = true
      })
      for (let step = 0; !closed && step < 200; step++) await clock.advance(1_000)
      await Promise.all(closing)
      expect(clock.pending(), 'no timer is left behind').toEqual([])
      server.close()
    },
  }
}
