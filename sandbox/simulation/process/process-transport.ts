import { ConnectionError, type Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** Returns the transport of a process to an API server. `way`: the seed's own, or one that is a cloud. */
export const processTransport =
  (process: SimulatedProcess, transport: Transport, way: 'kubernetes' | 'cloud' = 'kubernetes'): Transport =>
  async request => {
    const { method, path, signal } = request
    const about = `${method} ${path}`
    const response = await process.exchange(
      { way, isWrite: method !== 'GET', about },
      {
        signal,
        act: async () => {
          const code = process.code()
          const answer = await transport(request)
          if (way === 'kubernetes') process.observer?.answered(code, request, answer.status)
          return answer
        },
        refuse: status => ({
          status,
          headers: { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '1' }) },
          body: textBody(statusText(status)),
        }),
        broken: sent => new ConnectionError(`${about}: connection reset`, { cause: undefined, sent }),
      },
    )
    return { ...response, body: processBody(process, response.body) }
  }

async function* processBody(
  process: SimulatedProcess,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      await process.whileStopped()
      yield chunk
    }
  } catch (error) {
    await process.whileStopped()
    throw error
  }
}

async function* textBody(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

const statusText = (code: number): string =>
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: reasons[code],
    message: `refused by the simulation: ${reasons[code]}`,
    code,
  })
