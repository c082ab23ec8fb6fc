import { kinds } from '../../../shared/contract/kinds.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import type { BridgeBehindFaults } from './bridge-behind-faults.ts'
import { makeAuthority } from './certificates.ts'

export interface ApiServerFault {
  /** Completes "loses and repeats nothing when the server ...". */
  readonly title: string
  /**
   * Causes the fault. The returned function ends a fault that does not end by itself. It is called after the changes
   * made during the fault.
   */
  inflict(at: BridgeBehindFaults, kubernetes: Kubernetes): Promise<void | (() => void | Promise<void>)>
  /** Matches a request, as method and path, that proves that the bridge has met the fault. */
  readonly leadsTo?: RegExp
}

const isResumed = (path: string) => path.includes('watch=true') && path.includes('resourceVersion=')
const isStream = (path: string) => path.includes('sendInitialEvents=')
const recordWatches = ({ server }: BridgeBehindFaults) =>
  [...server.watches].filter(({ path }) => path.includes('/dnsrecords'))

/** Gives this answer the next few times. */
const answerNext = (
  { server }: BridgeBehindFaults,
  times: number,
  treatment: { readonly status: number; readonly reason?: string },
  matches: (path: string) => boolean = () => true,
) => {
  let left = times
  server.rule = ({ path }) => (left > 0 && matches(path) && left-- > 0 ? treatment : undefined)
}

const gone = { status: 410, reason: 'Expired' }
const goneLine = `${JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version',
    ...{ reason: gone.reason, code: gone.status },
  },
})}\n`

/** The possible faults of an API server, each caused so that the bridge meets it. */
export const apiServerFaults: readonly ApiServerFault[] = [
  {
    title: 'closes the watches',
    inflict: async ({ server }) => {
      for (const watch of server.watches) watch.end()
    },
    leadsTo: /watch=true.*resourceVersion=/,
  },
  {
    title: 'breaks the connections',
    inflict: async ({ server }) => server.sever(),
    leadsTo: /watch=true.*resourceVersion=/,
  },
  {
    title: 'breaks the connections and answers 500 for a while',
    inflict: async at => {
      answerNext(at, 12, { status: 500, reason: 'InternalError' })
      at.server.sever()
    },
  },
  {
    title: 'knows only a new token',
    inflict: async ({ server, files }) => {
      await files.token('second\n')
      server.token = 'second'
      server.sever()
    },
  },
  {
    title: 'knows only a new token some time before the file has it',
    inflict: async ({ server, files, clock }) => {
      server.token = 'second'
      server.sever()
      return async () => {
        await clock.sleep(30_000)
        await files.token('second\n')
      }
    },
  },
  {
    title: 'answers 410 to watches that resume',
    inflict: async at => {
      answerNext(at, 3, gone, isResumed)
      at.server.sever()
    },
    leadsTo: /dnsrecords\?.*sendInitialEvents=/,
  },
  {
    title: 'sends 410 as an event of the watch',
    inflict: async ({ server }) => {
      for (const watch of server.watches) {
        watch.write(goneLine)
        watch.end()
      }
    },
    leadsTo: /dnsrecords\?.*sendInitialEvents=/,
  },
  {
    title: 'ends its watches within a line',
    inflict: async ({ server }) => {
      for (const watch of server.watches) {
        watch.write('{"type":"MODIFIED","object":{"kind":"DNSRecord","metadata":{"name":"x')
        watch.end()
      }
    },
    leadsTo: /watch=true.*resourceVersion=/,
  },
  {
    title: 'breaks the connections within a line',
    inflict: async ({ server, clock }) => {
      for (const watch of server.watches) watch.write('{"type":"ADDED","object":{"kind":')
      await clock.sleep(1_000)
      server.sever()
    },
  },
  {
    title: 'says nothing on its watches, though they stay open',
    inflict: async ({ server }) => {
      for (const watch of server.watches) watch.stall()
    },
    leadsTo: /dnsrecords\?.*watch=true.*resourceVersion=/,
  },
  {
    title: 'is frozen for 60 s',
    inflict: async ({ server, clock }) => {
      server.freeze()
      return async () => {
        await clock.sleep(60_000)
        server.thaw()
      }
    },
  },
  {
    title: 'sends a bookmark and closes',
    inflict: async (at, kubernetes) => {
      const { resourceVersion } = await kubernetes.list(kinds.DNSRecord.resource, { limit: 1 })
      const object = { kind: 'DNSRecord', apiVersion: 'v1', metadata: { resourceVersion } }
      for (const watch of recordWatches(at)) {
        watch.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`)
        watch.end()
      }
    },
    leadsTo: /dnsrecords\?.*watch=true.*resourceVersion=/,
  },
  {
    title: 'takes watches and closes them at once, again and again',
    inflict: async ({ server, clock }) => {
      for (let round = 0; round < 20; round++) {
        for (const watch of server.watches) watch.end()
        await clock.sleep(500)
      }
    },
  },
  {
    title: 'lets a paging token run out in the middle of a list',
    inflict: async at => {
      let refusedWatches = 0
      let refusedPages = 0
      at.server.rule = ({ path }) => {
        if (isStream(path)) return { status: 422, reason: 'Invalid' }
        if (isResumed(path) && path.includes('/dnsrecords') && refusedWatches++ === 0) return gone
        if (path.includes('continue=') && refusedPages++ === 0) return gone
        // Small pages, so that the few objects of a test need several.
        return path.includes('limit=') ? { path: path.replace(/limit=\d+/, 'limit=3') } : undefined
      }
      at.server.sever()
    },
    leadsTo: /dnsrecords\?.*continue=/,
  },
  {
    title: 'no longer lets the old client certificate in',
    inflict: async ({ server, servers, files }) => {
      const next = await makeAuthority()
      await files.client(await next.client())
      server.present(await servers.serving(), next.ca)
      server.sever()
    },
  },
  {
    title: 'gets a new certificate of the same authority',
    inflict: async ({ server, servers, clients }) => {
      server.present(await servers.serving(), clients.ca)
      server.sever()
    },
  },
  {
    title: 'gets a certificate of a new authority',
    inflict: async ({ server, clients, files }) => {
      const next = await makeAuthority()
      await files.ca(next.ca)
      server.present(await next.serving(), clients.ca)
      server.sever()
    },
  },
]
