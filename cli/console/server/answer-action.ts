import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { ConsoleActions } from './console-actions.ts'

/** An answer of the server. A text is the reason of a refusal. */
export interface ActionAnswer {
  readonly status: number
  readonly body: unknown
}

/** In bytes. A shoot with 100 pools has 200 OperatingSystemConfigs. */
const mostBody = 256 * 1024

const shortText = z.string().max(400)
const rightsRequest = z.object({ ids: z.array(shortText).max(1000) })
const prepareRequest = z.object({
  action: z.enum(['retry', 'reconcile', 'pause', 'resume']),
  target: shortText,
  until: shortText.optional(),
  reason: shortText.optional(),
})
const writeRequest = z.object({ id: shortText })

/**
 * Returns the reason why a request may not act. Browsers send `Origin` with each POST; a form of another site can send
 * no JSON and no header of its own; another user of the machine does not know the key.
 */
const refusedAction = ({ headers }: Pick<IncomingMessage, 'headers'>, key: string): string | undefined => {
  const { host = '', origin } = headers
  if (origin !== `http://${host}`) return 'the request does not come from the page of the console'
  if ((headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin')
    return 'the request comes from a page of another site'
  if (headers['content-type'] !== 'application/json') return 'expected application/json'
  return isEqual(String(headers['x-trellis-key'] ?? ''), key)
    ? undefined
    : 'the page has not the key of this console. Open the address that trellis console has printed'
}

const isEqual = (given: string, key: string): boolean =>
  timingSafeEqual(...([given, key].map(one => createHash('sha256').update(one).digest()) as [Buffer, Buffer]))

/** Answers a request to act. `path` is the part of its path after `/api/act/`. */
export const answerAction = async (
  request: IncomingMessage,
  path: string,
  { actions, signal }: { readonly actions: ConsoleActions; readonly signal: AbortSignal },
): Promise<ActionAnswer> => {
  const refused = refusedAction(request, actions.key)
  if (refused !== undefined) return { status: 403, body: refused }
  // Without a length, the body may be of any.
  if (!(Number(request.headers['content-length']) <= mostBody))
    return { status: 413, body: `the request is larger than ${mostBody} bytes` }
  try {
    const body: unknown = JSON.parse(await text(request))
    switch (path) {
      case 'allowed':
        return { status: 200, body: await actions.allowed(rightsRequest.parse(body).ids, signal) }
      case 'prepare': {
        const { until, reason, ...asked } = prepareRequest.parse(body)
        const options = { ...asked, ...(until && { until }), ...(reason && { reason }) }
        return { status: 200, body: await actions.prepare(options) }
      }
      case 'write': {
        const written = await actions.write(writeRequest.parse(body).id)
        return written === undefined
          ? { status: 410, body: 'nothing was written: this was shown too long ago. Choose the action again' }
          : { status: 200, body: written }
      }
      default:
        return { status: 404, body: 'not found' }
    }
  } catch (error) {
    return { status: 422, body: messageOf(error) }
  }
}
