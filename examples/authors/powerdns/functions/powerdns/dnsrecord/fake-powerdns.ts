import { httpCloud } from '@trellis-gardener/trellis/testing'

interface Rrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly { readonly content: string }[]
  readonly comments: readonly { readonly account: string; readonly content: string }[]
}
type Change = Rrset & { readonly changetype: 'REPLACE' | 'DELETE' }

const keyOf = ({ name, type }: Pick<Rrset, 'name' | 'type'>) => `${type} ${name}`

/** A PowerDNS server with the zone `example.com.` and one record of another client. Port 0: the system chooses. */
export const fakePowerDns = (port = 0) => {
  const other = {
    name: 'www.example.com.',
    type: 'A',
    ttl: 60,
    records: [{ content: '203.0.113.1' }],
    comments: [],
  }
  const sets = new Map<string, Rrset>([[keyOf(other), other]])
  return httpCloud({
    port,
    secret: url => ({ server: url }),
    handle: async request => {
      if (request.headers.get('x-api-key') !== 'made-up') return new Response('Unauthorized', { status: 401 })
      const { pathname } = new URL(request.url)
      if (pathname === '/api/v1/servers/localhost/zones')
        return Response.json([{ id: 'example.com.', name: 'example.com.' }])
      if (pathname !== '/api/v1/servers/localhost/zones/example.com.')
        return new Response('Not Found', { status: 404 })
      if (request.method !== 'PATCH') return Response.json({ rrsets: [...sets.values()] })
      const { rrsets } = (await request.json()) as { readonly rrsets: readonly Change[] }
      for (const { changetype, ...set } of rrsets)
        if (changetype === 'DELETE') sets.delete(keyOf(set))
        else sets.set(keyOf(set), set)
      return new Response(null, { status: 204 })
    },
    things: () =>
      [...sets.values()].map(({ comments: [comment], ttl, records, ...set }) => ({
        name: keyOf(set),
        ...(comment && { owner: comment.content }),
        content: { ttl, values: records.map(({ content }) => content) },
      })),
    add: ({ name, owner = '', content }) => {
      const [type = '', of = ''] = name.split(' ')
      const { ttl, values } = content as { readonly ttl: number; readonly values: readonly string[] }
      const records = values.map(content => ({ content }))
      sets.set(name, { name: of, type, ttl, records, comments: [{ account: 'trellis', content: owner }] })
    },
  })
}

// `npm run cloud` serves it for `npm run dev`.
if (import.meta.main) console.log(`PowerDNS: ${(await fakePowerDns(8081)).ref().url}, API key made-up`)
