import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An API server that tells its version. */
export interface RefusingServer {
  readonly kubeconfig: string
  readonly close: () => Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Starts an API server that tells its version and gives `answer` to everything else. */
export const startRefusingServer = async (answer: Answer): Promise<RefusingServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-refusing-'))
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.split('?')[0] === '/version') json(response, 200, { gitVersion: 'v1.34.1' })
    else answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'a', cluster: { server: url } }],
      users: [{ name: 'a', user: { token: 'a' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      'current-context': 'a',
    }),
  )
  return {
    kubeconfig,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true })
    },
  }
}

export const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Answers with a `Status`, as API servers refuse. */
export const refuseWith =
  (code: number, reason: string): Answer =>
  (_, response) =>
    json(response, code, {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code,
      reason,
      message: reason,
    })
