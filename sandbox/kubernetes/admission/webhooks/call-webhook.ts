import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Clock } from '../../../../shared/clock/clock.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { isRecord } from '../../schema/structural-schema.ts'
import { readAnswer, type WebhookResponse } from './read-answer.ts'
import type { RegisteredWebhook } from './registered-webhook.ts'

/**
 * Returns the real address of a webhook host, `127.0.0.1:9443`; undefined: no such host. The host of a Service `a` in
 * `b` is `a.b.svc`.
 */
export type ResolveWebhook = (host: string) => string | undefined

/** Maximum size of a response: an object of 3 MB and the same again. */
const answerLimit = 8 * 1024 * 1024

/** Sends a review and reads the response. Never rejects: failures are returned in kube-apiserver's words. */
export const callWebhook = async (
  webhook: RegisteredWebhook,
  document: object,
  uid: string,
  { clock, resolve }: { readonly clock: Clock; readonly resolve: ResolveWebhook },
): Promise<WebhookResponse> => {
  const { clientConfig, timeoutSeconds } = webhook
  const { service, caBundle } = clientConfig
  const named = isRecord(service) ? service : undefined
  const host = named && `${named.name}.${named.namespace}.svc`
  const url = new URL(
    host ? `https://${host}:${named.port ?? 443}${named.path ?? '/'}` : String(clientConfig.url),
  )
  url.searchParams.set('timeout', `${timeoutSeconds}s`)
  // Go always writes the port of a Service, even the default one.
  const shown = host && url.port === '' ? url.href.replace(host, `${host}:443`) : url.href
  const failed = (why: string): WebhookResponse => ({
    is: 'failed',
    why: `failed to call webhook: Post ${JSON.stringify(shown)}: ${why}`,
  })
  const address = isOwn(url.hostname) ? url.host : resolve(url.hostname)
  if (address === undefined)
    return failed(
      named ? `service "${named.name}" not found` : `dial tcp: lookup ${url.hostname}: no such host`,
    )
  try {
    const { status, body } = await post(url, address, {
      ...(typeof caBundle === 'string' && { ca: Buffer.from(caBundle, 'base64').toString() }),
      body: JSON.stringify(document),
      limitMs: timeoutSeconds * 1000,
      clock,
    })
    return readAnswer(webhook, uid, status, body)
  } catch (error) {
    return failed(inGosWords(error, address))
  }
}

/** This machine needs no resolution. */
const isOwn = (hostname: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)

interface ReviewPost {
  readonly ca?: string
  readonly body: string
  readonly limitMs: number
  readonly clock: Clock
}

const post = (
  url: URL,
  address: string,
  { ca, body, limitMs, clock }: ReviewPost,
): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(`https://${address}`)
    const name = url.hostname.replace(/^\[|\]$/g, '')
    const request = httpsRequest(
      {
        host: host.replace(/^\[|\]$/g, ''),
        port: port || 443,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        agent: false,
        ...(ca !== undefined && { ca }),
        ...(isIP(name) === 0 && { servername: name }),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, */*',
          'content-length': Buffer.byteLength(body),
        },
      },
      response => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > answerLimit) request.destroy(new Error('the answer is too large'))
          else chunks.push(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          cancel()
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
        })
      },
    )
    const cancel = clock.after(limitMs, () => request.destroy(new Error('context deadline exceeded')))
    request.on('error', error => {
      cancel()
      reject(error)
    })
    request.end(body)
  })

const inGosWords = (error: unknown, address: string): string => {
  const code = String(Object(error).code ?? '')
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`
  if (code === 'ECONNRESET') return 'EOF'
  if (/SELF_SIGNED|UNABLE_TO_|CERT_/.test(code) && code !== 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'tls: failed to verify certificate: x509: certificate is valid for other names'
  return messageOf(error)
}
