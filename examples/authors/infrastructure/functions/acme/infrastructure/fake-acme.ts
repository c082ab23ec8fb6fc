import { httpCloud, systemClock, type VirtualClock } from '@trellis-gardener/trellis/testing'

interface Stored {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly cidr?: string
  readonly network?: string
  /** In milliseconds since 1970. */
  readonly readyAt: number
}
type Kind = 'networks' | 'gateways'

/** A gateway becomes ready after this time. */
const gatewayMs = 20_000

/** A cloud with networks and gateways over HTTP, and one network of another owner. Port 0: the system chooses. */
export const fakeAcme = ({
  clock = systemClock,
  port = 0,
}: {
  clock?: Pick<VirtualClock, 'now'>
  port?: number
} = {}) => {
  let count = 0
  const store: Readonly<Record<Kind, Map<string, Stored>>> = { networks: new Map(), gateways: new Map() }
  const create = (kind: Kind, fields: Omit<Stored, 'id' | 'readyAt'>): Stored => {
    const id = `${kind}-${++count}`
    const stored = { id, ...fields, readyAt: clock.now() + (kind === 'gateways' ? gatewayMs : 0) }
    store[kind].set(id, stored)
    return stored
  }
  create('networks', { owner: 'someone-else', name: 'rose', cidr: '10.0.0.0/16' })
  const shown = ({ readyAt, ...fields }: Stored) =>
    clock.now() < readyAt
      ? { ...fields, status: 'pending' }
      : { ...fields, status: 'ready', address: '203.0.113.7' }

  return httpCloud({
    port,
    secret: url => ({ url }),
    handle: async request => {
      if (request.headers.get('authorization') !== 'Bearer made-up')
        return new Response('who?', { status: 401 })
      const { pathname, searchParams } = new URL(request.url)
      const [, kind = '', id = ''] = pathname.split('/')
      const all = kind === 'networks' || kind === 'gateways' ? store[kind] : undefined
      if (all === undefined) return new Response('no such path', { status: 404 })
      if (request.method === 'POST') return Response.json(shown(create(kind as Kind, await request.json())))
      if (request.method !== 'DELETE')
        return Response.json(
          [...all.values()].filter(({ owner }) => owner === searchParams.get('owner')).map(shown),
        )
      if ([...store.gateways.values()].some(({ network }) => network === id))
        return new Response('a gateway uses it', { status: 409 })
      return all.delete(id) ? Response.json({}) : new Response('not found', { status: 404 })
    },
    things: () =>
      Object.entries(store).flatMap(([kind, all]) =>
        [...all.values()].map(({ owner, name, cidr, network }) => ({
          name: `${kind}/${name}`,
          owner,
          // The id of a network is generated. Its name is not.
          content: kind === 'networks' ? { cidr } : { network: store.networks.get(network ?? '')?.name },
        })),
      ),
    add: ({ name, owner = '', content }) => {
      const [kind = '', of = ''] = name.split('/')
      create(kind as Kind, { ...(content as object), owner, name: of })
    },
  })
}

// `npm run cloud` serves it for `npm run dev`.
if (import.meta.main) console.log(`cloud: ${(await fakeAcme({ port: 8082 })).ref().url}, token made-up`)
