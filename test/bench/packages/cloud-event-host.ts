import type { AddressInfo } from 'node:net'
import { parseEventJson } from '../../../shared/events/events.ts'
import type { serveFunctions as serve } from '../../../shared/runtime/runtime.ts'

const neverAborted = new AbortController().signal

/**
 * Replaces `serveFunctions`: the framework's CloudEvent signature, whose only answers are 204 and 500. It has neither
 * probes nor limits, and does not drain.
 */
export const cloudEventHost = async (options: Parameters<typeof serve>[0]) => {
  if ('functions' in options) throw new TypeError('this host serves one function')
  const { settings, log, handle } = options
  // Bundled beside the program, as the framework is for TRELLIS_HOST=framework.
  const beside = (await import('../../../shared/runtime/framework-server.ts')) as unknown as Pick<
    typeof import('./cloud-event-server.ts'),
    'cloudEventServer'
  >
  const server = beside.cloudEventServer(async received => {
    const outcome = await handle(parseEventJson(received), neverAborted)
    if (outcome.kind !== 'recorded') throw new Error(outcome.kind)
  })
  await new Promise<void>(resolve => server.listen(settings.port, settings.address, resolve))
  const { port } = server.address() as AddressInfo
  log.info('listening', { address: settings.address, port })
  return { port, url: `http://127.0.0.1:${port}`, close: async () => void server.close() }
}
