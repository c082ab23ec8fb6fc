import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { generate } from 'selfsigned'

/** The request of an AdmissionReview as it was received. */
export interface ReceivedReview {
  readonly uid: string
  readonly name?: string
  readonly namespace?: string
  readonly operation: string
  readonly subResource?: string
  readonly dryRun?: boolean
  readonly object: {
    readonly metadata: { readonly uid?: string }
    readonly data?: Readonly<Record<string, string>>
  }
  readonly oldObject: object | null
  readonly [field: string]: unknown
}

/** The `response` without its uid; or bytes with a status; or no response ever. */
export type WebhookAnswer = object | { readonly raw: string; readonly status: number } | 'silence'

/** An HTTPS server on 127.0.0.1 that responds to reviews by path and records them. */
export interface WebhookServer {
  readonly url: string
  /** Base64, for a `clientConfig`. */
  readonly caBundle: string
  answer(path: string, how: (review: ReceivedReview) => WebhookAnswer): void
  reviews(path: string): readonly ReceivedReview[]
  /** Including the query. */
  paths(): readonly string[]
  close(): void
}

export const jsonPatchOf = (...operations: readonly object[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
})

/** `hosts`: further names in its certificate, in addition to the address. */
export const startWebhookServer = async (hosts: readonly string[] = []): Promise<WebhookServer> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'webhooks' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [{ type: 7, ip: '127.0.0.1' }, ...hosts.map(value => ({ type: 2 as const, value }))],
      },
    ],
  })
  const answers = new Map<string, (review: ReceivedReview) => WebhookAnswer>()
  const received: { readonly path: string; readonly url: string; readonly review: ReceivedReview }[] = []
  const server = createServer({ cert, key }, async (request, response) => {
    const { request: review } = JSON.parse(await text(request)) as { readonly request: ReceivedReview }
    const path = new URL(request.url ?? '', 'https://webhooks').pathname
    received.push({ path, url: request.url ?? '', review })
    const answer = answers.get(path)?.(review) ?? { allowed: true }
    if (answer === 'silence') return
    if ('raw' in answer) response.writeHead(answer.status).end(answer.raw)
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: review.uid, ...answer },
        }),
      )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: Buffer.from(cert).toString('base64'),
    answer: (path, how) => void answers.set(path, how),
    reviews: path => received.filter(one => one.path === path).map(({ review }) => review),
    paths: () => received.map(({ url }) => url),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
