import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { refusePages } from '../../../../../shared/loopback/refuse-pages.ts'
import type { OpenStackConnection } from '../../../../../terraform-free-infra/openstack/account/openstack.ts'

/** A request as it arrives, with the whole URL. */
export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export type SentAnswer = Awaited<ReturnType<OpenStackConnection['send']>>

/** Answers a request. Undefined: the connection breaks. */
export type AnswerIncoming = (
  request: IncomingRequest,
  signal: AbortSignal,
) => Promise<SentAnswer | undefined>

const bodyOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Serves OpenStack at 127.0.0.1. Rejects with the system's error if the port is taken. */
export const listen = async (answer: AnswerIncoming, port: number) => {
  const server = createServer(
    { keepAliveTimeout: 120_000 },
    refusePages(async (message, response) => {
      const gone = new AbortController()
      response.on('close', () => {
        if (!response.writableFinished) gone.abort()
      })
      try {
        const request = {
          method: message.method ?? 'GET',
          url: `http://${message.headers.host ?? ''}${message.url ?? '/'}`,
          headers: message.headers as Record<string, string | undefined>,
          body: await bodyOf(message),
        }
        const answered = await answer(request, gone.signal)
        if (answered === undefined) return void message.socket.destroy()
        response.writeHead(answered.status, {
          ...answered.headers,
          'content-length': Buffer.byteLength(answered.body),
        })
        response.end(message.method === 'HEAD' ? undefined : answered.body)
      } catch {
        // The client is gone.
        message.socket.destroy()
      }
    }),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: used } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${used}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
