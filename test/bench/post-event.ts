import { request } from 'node:http'
import type { HttpMessage } from '../../shared/events/events.ts'

/** Posts an event to a function on this machine, and returns the status of the answer. */
export const postEvent = (port: number, { headers, body }: HttpMessage, path = '/'): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path,
        headers: { ...headers, 'content-length': body.length },
      },
      response => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
        response.once('error', reject)
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
