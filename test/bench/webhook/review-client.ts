import { Agent, request } from 'node:https'

export interface ReviewClient {
  /** Returns the time to the complete answer in ms. Rejects on any status but 200. */
  readonly post: (path: string, body: string) => Promise<number>
  readonly close: () => void
}

/** Uses keep-alive connections, as API servers do. */
export const reviewClient = (port: number): ReviewClient => {
  const agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false })
  return {
    post: (path, body) =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        const sent = request(
          {
            host: '127.0.0.1',
            port,
            path,
            method: 'POST',
            agent,
            headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          },
          response => {
            response.on('end', () =>
              response.statusCode === 200
                ? resolve(performance.now() - began)
                : reject(new Error(`the review was answered ${response.statusCode}`)),
            )
            response.resume()
          },
        )
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
